import { afterAll, beforeAll, expect, it } from 'vitest';
import { dkimKey, revokedDkimKey, shortDkimKey } from '@dmarc-ledger/samples';
import { host } from './support/hosts.ts';
import { openWorlds, plainStory, type Worlds } from './support/worlds.ts';

let worlds: Worlds;
beforeAll(async () => {
  worlds = await openWorlds();
});
afterAll(() => worlds[Symbol.asyncDispose]());

it('a new selector in rotation is announced, and the old key is missed only while mail carries it', async () => {
  const domain = 'rotate.example';
  const own = host('mail.rotate.example');
  const world = await worlds.of({
    ...plainStory(domain, own),
    selectors: ['s1', 's2'],
    streams: [
      { from: own, daily: 1_000, days: [20, 9], mail: { signed: 's1', path: domain } },
      { from: own, daily: 1_000, days: [3, 1], mail: { signed: 's2', path: domain } },
    ],
  });
  const during = await world.answers(domain);
  expect(during.health.dns.dkim?.details).toBe('2 DKIM selectors have valid keys.');
  expect(during.events).toEqual(['dkim_selector_new', 'first_report_received']);
  expect(during.messagesOf('dkim_selector_new')).toEqual(['rotate.example signs with a new selector, s2.']);

  delete world.published.txt[`s1._domainkey.${domain}`]; // no mail carries it for a week
  await world.check(20);
  await world.check();
  const after = await world.answers(domain);
  expect(after.health.dns.dkim).toMatchObject({ status: 'ok', details: '1 DKIM selector has a valid key.' });
  expect(after.items).toEqual(['low dns_bimi']);
  expect(after.events).toEqual(during.events);
});

it('a key that is revoked while mail is signed with it is an alarm, as is the mail that fails', async () => {
  const domain = 'revoked.example';
  const own = host('mail.revoked.example');
  const world = await worlds.of(plainStory(domain, own));
  world.published.txt[`s1._domainkey.${domain}`] = [revokedDkimKey];
  await world.check(20);
  await world.arrive({
    ...plainStory(domain, own),
    streams: [{ from: own, daily: 400, days: [0, 0], mail: { broken: 's1', failedPath: domain } }],
  });
  await world.check();
  const { senders, health, events, items, messagesOf } = await world.answers(domain);
  expect(senders['mail.revoked.example']).toBe('authenticated');
  expect(health.dns.dkim?.status).toBe('error');
  expect(events).toEqual(['compliance_drop', 'dkim_key_revoked', 'failure_spike', 'first_report_received']);
  expect(messagesOf('compliance_drop')).toEqual([
    expect.stringMatching(/^0% of mail from revoked\.example passed on [\d-]{10}, down from 100%\.$/),
  ]);
  expect(items.slice(0, 2)).toEqual(['high dns_dkim', 'high compliance_drop']);

  world.published.txt[`s1._domainkey.${domain}`] = [dkimKey];
  await world.check();
  expect((await world.answers(domain)).items).not.toContain('high dns_dkim');
});

it('a weak key passes, and is to be replaced', async () => {
  const domain = 'weak.example';
  const world = await worlds.of(plainStory(domain));
  world.published.txt[`s1._domainkey.${domain}`] = [shortDkimKey];
  await world.check();
  const { score, health, items, messagesOf } = await world.answers(domain);
  expect(score.overall_score).toBe(100);
  expect(health.dns.dkim?.status).toBe('warning');
  expect(messagesOf('dkim_key_weak')).toEqual(['The DKIM key for selector s1 has 1024 bits; 2048 is recommended.']);
  expect(items).toEqual(['medium dns_dkim', 'low dns_bimi']);
});

it('a key that was never published is missed, though the mail passes by SPF', async () => {
  const domain = 'nokey.example';
  const own = host('mail.nokey.example');
  const world = await worlds.of({
    ...plainStory(domain, own),
    selectors: [],
    streams: [{ from: own, daily: 500, mail: { broken: 'crm', path: domain } }],
  });
  const { senders, score, health, events, items } = await world.answers(domain);
  expect(senders).toEqual({ 'mail.nokey.example': 'authenticated' });
  // 40 + 20 + 0 + 20
  expect(score).toMatchObject({ compliance_rate: 100, dkim_pass_rate: 0, overall_score: 80, grade: 'B-' });
  expect(health.verdict).toBe('100% of mail passes DMARC, but none of it by an aligned DKIM signature.');
  expect(items).toEqual(['high dns_dkim']);
  expect(health.action_items[0]?.suggested_action).toBe('Publish the keys your senders sign with.');
  expect(events).toEqual(['dkim_key_missing', 'first_report_received']);
});
