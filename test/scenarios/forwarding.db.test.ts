import { afterAll, beforeAll, expect, it } from 'vitest';
import { host } from './support/hosts.ts';
import { ownMail, type Stream } from './support/mail.ts';
import { openWorlds, type Worlds } from './support/worlds.ts';

let worlds: Worlds;
beforeAll(async () => {
  worlds = await openWorlds();
});
afterAll(() => worlds[Symbol.asyncDispose]());

/** A domain at reject with mail of its own, and one stream of other mail in the last two days. */
async function withRelay(domain: string, relay: Pick<Stream, 'from' | 'mail'>) {
  const own = host(`mail.${domain}`);
  const other: Stream = { daily: 60, days: [2, 1], ...relay };
  const spf = `ip4:${own.ip} -all`;
  const streams = [ownMail(own, domain), other];
  const world = await worlds.of({ domain, dmarc: 'p=reject', spf, selectors: ['s1'], streams });
  return { ...(await world.answers(domain)), proved: await world.provedMessages() };
}

it('a mailing list whose ARC seal the receiver believes is proved forwarding, and no event', async () => {
  const reason = { type: 'local_policy', comment: 'arc=pass as.1.lists.club.example=pass' };
  const { senders, proved, events } = await withRelay('sealed.example', {
    from: host('out.club.example'),
    mail: { broken: 's1', path: 'club.example', reason },
  });
  expect(senders['out.club.example']).toBe('likely_forwarded');
  expect(proved).toBe(120);
  expect(events).toEqual(['first_report_received']);
});

it('a mailing list without ARC is forwarding by inference, so its failing mail is still reported', async () => {
  const { senders, proved, messagesOf } = await withRelay('unsealed.example', {
    from: host('lists.community.example'),
    mail: { broken: 's1', path: 'lists.community.example' },
  });
  expect(senders['lists.community.example']).toBe('likely_forwarded');
  expect(proved).toBe(0);
  expect(messagesOf('new_failing_source')).toHaveLength(1);
});

it('a forwarding service that a blocklist carries stays a forwarder', async () => {
  const { senders, proved, events } = await withRelay('alias.example', {
    from: host('fwd1.improvmx.com', { listedBy: ['barracuda'] }),
    mail: { path: 'improvmx.com' },
  });
  expect(senders['fwd1.improvmx.com']).toBe('likely_forwarded');
  expect(proved).toBe(120);
  expect(events).toEqual(['first_report_received']);
});

it('a forwarder in hijacked address space is no forwarder to trust', async () => {
  const { senders, proved, events, detailOf, health } = await withRelay('hijacked.example', {
    from: host('fwd2.improvmx.com', { listedBy: ['spamhaus-zen 127.0.0.9'] }),
    mail: { broken: 's1', path: 'improvmx.com' },
  });
  expect(senders['fwd2.improvmx.com']).toBe('suspicious');
  expect(proved).toBe(0);
  expect(await detailOf('fwd2.improvmx.com')).toMatchObject({
    classification_description: expect.stringContaining('the address is on Spamhaus ZEN'),
  });
  expect(events).toEqual(['first_report_received', 'malicious_source']);
  expect(health.action_items[0]).toMatchObject({
    severity: 'high',
    suggested_action: expect.stringMatching(/^Receivers are asked to reject its mail;/),
  });
});

it('mail that a forwarder passes on unchanged is the own mail that it is', async () => {
  const { senders, score } = await withRelay('intact.example', {
    from: host('mx.alumni.example'),
    mail: { signed: 's1', path: 'alumni.example' },
  });
  expect(senders['mx.alumni.example']).toBe('authenticated');
  expect(score.compliance_rate).toBe(100);
});
