import { afterAll, beforeAll, expect, it } from 'vitest';
import { host } from './support/hosts.ts';
import { ownMail } from './support/mail.ts';
import { openWorlds, plainStory, type Worlds } from './support/worlds.ts';

let worlds: Worlds;
beforeAll(async () => {
  worlds = await openWorlds();
});
afterAll(() => worlds[Symbol.asyncDispose]());

it("Microsoft 365 behind a gateway that breaks signatures passes by SPF, and a customer's gateway is a relay", async () => {
  const domain = 'm365.example';
  const exchange = host('mail-am6eur05on2100.outbound.protection.outlook.com');
  const gateway = host('mx0a-0012b301.pphosted.com');
  const customers = host('eu-smtp-inbound-delivery-1.mimecast.com');
  const world = await worlds.of({
    domain,
    dmarc: 'p=reject',
    spf: `ip4:${exchange.ip} ip4:${gateway.ip} -all`,
    selectors: ['selector1'],
    streams: [
      { from: exchange, daily: 300, mail: { signed: 'selector1', path: domain } },
      { from: gateway, daily: 600, mail: { broken: 'selector1', path: domain } },
      // Microsoft sees what the gateway of its own customer has changed and passed on
      {
        from: customers,
        daily: 40,
        days: [6, 1],
        seenBy: 'enterprise.lookout.example',
        mail: { broken: 'selector1', failedPath: domain },
      },
    ],
  });
  const { senders, score, health, events, items, detailOf } = await world.answers(domain);
  expect(senders).toEqual({
    'mail-am6eur05on2100.outbound.protection.outlook.com': 'authenticated',
    'mx0a-0012b301.pphosted.com': 'authenticated',
    'eu-smtp-inbound-delivery-1.mimecast.com': 'likely_forwarded',
  });
  expect(await detailOf('eu-smtp-inbound-delivery-1.mimecast.com')).toMatchObject({
    service_name: 'Mimecast',
    classification_description: expect.stringContaining('Mimecast is relaying mail that was first sent elsewhere'),
  });
  expect(await world.provedMessages()).toBe(240);
  // 18,000 of 18,240 pass, 6,000 of them by DKIM: 0.6 * 98.68 + 0.2 * 32.89 + 20
  expect(score).toMatchObject({ compliance_rate: 98.68, dkim_pass_rate: 32.89, overall_score: 85.79, grade: 'B' });
  expect(health.verdict).toBe('98.68% of mail passes DMARC, but only 32.89% by an aligned DKIM signature.');
  expect(events).toEqual(['first_report_received']);
  expect(items).toEqual([]);
});

it('a server that was taken out of service, and still sends a little, is no alarm and its old key no fault', async () => {
  const domain = 'retired.example';
  const old = host('mx-old.retired.example');
  const own = host('mail.retired.example');
  const world = await worlds.of({
    domain,
    dmarc: 'p=reject',
    spf: `ip4:${own.ip} -all`,
    selectors: ['s1'], // the key of s0 went with the server
    streams: [
      { from: old, daily: 1_000, days: [20, 11], mail: { signed: 's0', path: domain } },
      { from: own, daily: 1_000, days: [10, 1], mail: { signed: 's1', path: domain } },
      { from: old, daily: 60, days: [2, 1], mail: { failedPath: domain } },
    ],
  });
  const { senders, score, health, events, items, detailOf } = await world.answers(domain);
  expect(senders['mx-old.retired.example']).toBe('authenticated'); // 10,000 of its 10,120 messages pass
  expect(await detailOf('mx-old.retired.example')).toMatchObject({ total_messages: 10_120, fail_count: 120 });
  expect(score).toMatchObject({ compliance_rate: 99.4, overall_score: 99.52, grade: 'A+' });
  expect(health.verdict).toBe('Protected: 99.4% of mail passes DMARC, and receivers are asked to reject the rest.');
  expect(health.dns.dkim).toEqual({ status: 'ok', details: '1 DKIM selector has a valid key.', hosted_cta: undefined });
  expect(events).toEqual(['first_report_received']);
  expect(items).toEqual(['low dns_bimi']);
});

it('a domain of three organizations is to each of them what its own reports say', async () => {
  const domain = 'shared.example';
  const own = host('mail.shared.example');
  const holding = await worlds.of({ ...plainStory(domain, own), streams: [ownMail(own, domain, 100)] });
  const thief = host('x.thieves.example');
  const agency = await worlds.of({
    ...plainStory(domain, own),
    streams: [ownMail(own, domain, 7), { from: thief, daily: 60, days: [1, 1], mail: { path: 'thieves.example' } }],
  });
  const auditor = await worlds.of({ ...plainStory(domain, own), streams: [] });
  const [first, second, third] = [
    await holding.answers(domain),
    await agency.answers(domain),
    await auditor.answers(domain),
  ];
  expect(first.totals).toMatchObject({ total_messages: 2_000, total_reports: 20 });
  expect(first.health.verdict).toBe('Protected: all mail passes DMARC.');
  expect(first.events).toEqual(['first_report_received']);
  expect(second.totals).toMatchObject({ total_messages: 200, total_reports: 20 });
  expect(second.score).toMatchObject({ compliance_rate: 70, overall_score: 76, grade: 'C' });
  expect(second.health.verdict).toBe('30% of mail fails DMARC.');
  expect(second.events).toEqual(['first_report_received', 'new_failing_source']);
  expect(third.score.grade).toBe('N/A');
  expect(third.health.verdict).toBe('No DMARC reports have arrived for this domain yet.');
  expect(third.events).toEqual([]);
});

it("a server of one's own that two blocklists carry passes, and is an event once a second lookup agrees", async () => {
  const domain = 'listed.example';
  const own = host('mail.listed.example', { listedBy: ['barracuda', 'spamcop'] });
  const world = await worlds.of(plainStory(domain, own));
  const { senders, score, events, detailOf } = await world.answers(domain);
  expect(senders['mail.listed.example']).toBe('authenticated');
  expect(score).toMatchObject({ overall_score: 100, grade: 'A+' });
  expect(await detailOf('mail.listed.example')).toMatchObject({
    blocklist_verdict: {
      severity: 'critical',
      summary: 'Listed on Barracuda BRBL, which many receivers enforce. 1 other list agrees.',
    },
  });
  expect(events).toEqual(['first_report_received']);
  await world.wait(7);
  const later = await world.answers(domain);
  expect(later.messagesOf('source_blocklisted')).toEqual([
    `${own.ip} sends mail for listed.example and is listed on Barracuda BRBL.`,
  ]);
  expect(later.items[0]).toBe('high source_blocklisted');
});
