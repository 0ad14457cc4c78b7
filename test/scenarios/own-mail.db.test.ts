import { afterAll, beforeAll, expect, it } from 'vitest';
import { host } from './support/hosts.ts';
import { ownMail } from './support/mail.ts';
import { openWorlds, type Worlds } from './support/worlds.ts';

let worlds: Worlds;
beforeAll(async () => {
  worlds = await openWorlds();
});
afterAll(() => worlds[Symbol.asyncDispose]());

it('a shop sends by a service with DKIM alone, and loses nothing but the points of SPF', async () => {
  const domain = 'dkim-only.example';
  const service = host('o1.ptr.sendgrid.net');
  const world = await worlds.of({
    domain,
    dmarc: 'p=reject',
    spf: '-all',
    selectors: ['s1'],
    streams: [{ from: service, daily: 500, mail: { signed: 's1', path: 'em1.sendgrid.net' } }],
  });
  const { senders, score, health, events } = await world.answers(domain);
  expect(senders).toEqual({ 'o1.ptr.sendgrid.net': 'authenticated' });
  // 40 + 0 + 20 + 20
  expect(score).toMatchObject({ compliance_rate: 100, spf_pass_rate: 0, overall_score: 80, grade: 'B-' });
  expect(health.verdict).toBe('100% of mail passes DMARC, but none of it by aligned SPF.');
  expect(events).toEqual(['first_report_received']);
});

it('a marketing service that was never authenticated is named, and is no spoofing', async () => {
  const domain = 'newsletter.example';
  const own = host('mail.newsletter.example');
  const service = host('mail1.mcsv.net');
  const world = await worlds.of({
    domain,
    dmarc: 'p=none',
    spf: `ip4:${own.ip} -all`,
    selectors: ['s1'],
    streams: [
      ownMail(own, domain),
      { from: service, daily: 200, days: [5, 1], mail: { alsoSignedBy: 'mcsv.net', path: 'mail1.mcsv.net' } },
    ],
  });
  const { senders, score, health, events, items, messagesOf } = await world.answers(domain);
  expect(senders).toEqual({ 'mail.newsletter.example': 'authenticated', 'mail1.mcsv.net': 'needs_review' });
  // 20,000 of 21,000 pass; P is 25: 0.8 * 95.24 + 5
  expect(score).toMatchObject({ compliance_rate: 95.24, overall_score: 81.19, grade: 'B-' });
  expect(health.verdict).toBe('Monitoring only: 95.24% of mail passes DMARC.');
  expect(messagesOf('new_failing_source')).toEqual([
    'Mailchimp sent 1,000 messages as newsletter.example that fail DMARC.',
  ]);
  expect(items[0]).toBe('medium dns_dmarc');
  expect(events).not.toContain('spoofing_campaign');
  expect(events).not.toContain('compliance_drop');
});

it('mail that is all set up at the policy none is ready for a stricter one', async () => {
  const domain = 'ready.example';
  const own = host('mail.ready.example');
  const spf = `ip4:${own.ip} -all`;
  const world = await worlds.of({ domain, dmarc: 'p=none', spf, selectors: ['s1'], streams: [ownMail(own, domain)] });
  const { score, health, items, messagesOf } = await world.answers(domain);
  expect(score).toMatchObject({ overall_score: 85, grade: 'B' }); // 80 and 0.2 * 25
  expect(health.verdict).toBe('Ready for enforcement: 100% of mail passes, but the policy is none.');
  expect(items).toEqual(['low policy_upgrade_ready']);
  expect(messagesOf('policy_upgrade_ready')).toEqual([
    '100% of mail from ready.example passes DMARC. You can move from none to quarantine.',
  ]);
});
