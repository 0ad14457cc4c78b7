import { faultDns } from '@dmarc-ledger/testkit';
import { expect, it } from 'vitest';
import { openDnsClient, openZoneAsker, ProviderBudgets, providerOf } from '../src/index.ts';

it.each([
  ['dnsbl-1.uceprotect.net', 'uceprotect.net'],
  ['key.zen.dq.spamhaus.net', 'spamhaus.net'],
  ['zen.spamhaus.org', 'spamhaus.org'],
])('%s is of %s', (zone, provider) => expect(providerOf(zone)).toBe(provider));

it('a provider’s zones share so many lookups in a second', async () => {
  const budgets = new ProviderBudgets(50);
  const begin = performance.now();
  const take = (zone: string) => budgets.run(zone, () => Promise.resolve(performance.now() - begin));
  const one = Array.from({ length: 40 }, () => take('dnsbl-1.uceprotect.net'));
  const two = Array.from({ length: 30 }, () => take('dnsbl-2.uceprotect.net'));
  const other = await take('psbl.surriel.com');
  const ends = await Promise.all([...one, ...two]);
  const last = Math.max(...ends.map((ms) => ms ?? 0));
  expect(last).toBeGreaterThan(350);
  expect(other).toBeLessThan(last);
});

it('asks zones within their provider’s budget', async () => {
  await using server = await faultDns({});
  const asker = openZoneAsker({ client: openDnsClient({ servers: [server] }), perSecond: 20 });
  const begin = performance.now();
  const facts = await Promise.all(Array.from({ length: 30 }, (_, i) => asker.ask('bl.example', `9.9.9.${i}`)));
  expect(performance.now() - begin).toBeGreaterThan(400);
  expect(facts).toEqual(facts.map(() => ({ outcome: 'nxdomain' })));
  expect(await asker.askCanary('bl.example', '127.0.0.2')).toEqual({ outcome: 'nxdomain' });
});

it('tests of zones count against the budget, and come before what waits', async () => {
  await using server = await faultDns({});
  const asker = openZoneAsker({ client: openDnsClient({ servers: [server] }), perSecond: 20 });
  const ended: string[] = [];
  const asked = Array.from({ length: 30 }, async (_, i) => {
    await asker.ask('bl.example', `9.9.9.${i}`);
    ended.push('address');
  });
  const begin = performance.now();
  const tests = Array.from({ length: 20 }, async () => {
    await asker.askCanary('bl.example', '127.0.0.2');
    ended.push('test');
  });
  await Promise.all([...asked, ...tests]);
  expect(performance.now() - begin).toBeGreaterThan(1_400);
  expect(ended.lastIndexOf('test')).toBeLessThan(45);
});
