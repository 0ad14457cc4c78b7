import { afterAll, beforeAll, expect, it } from 'vitest';
import { host } from './support/hosts.ts';
import { openWorlds, plainStory, type Worlds } from './support/worlds.ts';

let worlds: Worlds;
beforeAll(async () => {
  worlds = await openWorlds();
});
afterAll(() => worlds[Symbol.asyncDispose]());

const policyOf = (tags: string) => [`v=DMARC1; ${tags}; rua=mailto:dmarc@ledger.example`];

it('a subdomain with a policy of its own is judged by it, and its domain by another', async () => {
  const sub = 'news.parent.example';
  const service = host('mail2.mcsv.net');
  const world = await worlds.of(plainStory('parent.example'), {
    domain: sub,
    dmarc: 'p=none',
    spf: `ip4:${service.ip} -all`,
    selectors: ['k1'],
    streams: [{ from: service, daily: 500, mail: { signed: 'k1', path: sub } }],
  });
  const [parent, own] = [await world.answers('parent.example'), await world.answers(sub)];
  expect(parent.totals.total_messages).toBe(20_000);
  expect(parent.health.compliance.policy).toBe('reject');
  expect(parent.health.verdict).toBe('Protected: all mail passes DMARC.');
  expect(own.totals.total_messages).toBe(10_000);
  expect(own.health.compliance.policy).toBe('none');
  expect(own.score).toMatchObject({ policy_strength: 25, overall_score: 85, grade: 'B' });
  expect(own.health.verdict).toBe('Ready for enforcement: 100% of mail passes, but the policy is none.');
  expect(own.items).toEqual(['low policy_upgrade_ready']);
  expect(own.overview.org_health.verdict).toMatch(/%/);
});

it('a domain moves from none to quarantine to reject, and hears of each step and of no other', async () => {
  const domain = 'moving.example';
  const world = await worlds.of({ ...plainStory(domain), dmarc: 'p=none' });
  const none = await world.answers(domain);
  expect(none.health.verdict).toBe('Ready for enforcement: 100% of mail passes, but the policy is none.');
  expect(none.items).toEqual(['low policy_upgrade_ready']);

  world.published.txt[`_dmarc.${domain}`] = policyOf('p=quarantine');
  await world.check(60);
  const quarantine = await world.answers(domain);
  expect(quarantine.score).toMatchObject({ policy_strength: 75, overall_score: 95, grade: 'A' });
  expect(quarantine.health.verdict).toBe('Strong: 100% of mail passes DMARC.');
  expect(quarantine.messagesOf('dmarc_policy_strengthened')).toEqual([
    'The policy of moving.example changed from none to quarantine.',
  ]);
  expect(quarantine.items).toEqual(['low dns_bimi', 'low policy_upgrade_ready']);

  world.published.txt[`_dmarc.${domain}`] = policyOf('p=reject');
  await world.check();
  const reject = await world.answers(domain);
  expect(reject.score).toMatchObject({ policy_strength: 100, overall_score: 100, grade: 'A+' });
  expect(reject.health.verdict).toBe('Protected: all mail passes DMARC.');
  expect(reject.items).toEqual(['low dns_bimi']);
  expect(reject.messagesOf('policy_upgrade_ready').toSorted()).toEqual([
    '100% of mail from moving.example passes DMARC. You can move from none to quarantine.',
    '100% of mail from moving.example passes DMARC. You can move from quarantine to reject.',
  ]);
});

it('a policy for half of the mail is first to be one for all of it', async () => {
  const domain = 'half.example';
  const world = await worlds.of({ ...plainStory(domain), dmarc: 'p=quarantine; pct=50' });
  const { score, health, items, messagesOf } = await world.answers(domain);
  // 25 and half of the way to 75; 80 and 0.2 * 50
  expect(score).toMatchObject({ policy_strength: 50, overall_score: 90, grade: 'A-' });
  expect(health.dns.dmarc?.details).toBe('The DMARC policy is quarantine but is not fully applied.');
  expect(items).toEqual(['low dns_dmarc', 'low policy_upgrade_ready']);
  expect(messagesOf('policy_upgrade_ready')).toEqual([
    '100% of mail from half.example passes DMARC. You can apply quarantine to all of it.',
  ]);
});

it('a domain that is locked, but not its subdomains, says so', async () => {
  const domain = 'half-locked.example';
  const from = host('x.swindle.example');
  const world = await worlds.of({
    domain,
    dmarc: 'p=reject; sp=none',
    spf: '-all',
    streams: [{ from, daily: 5, days: [1, 1], mail: { path: 'swindle.example', from: 'pay.half-locked.example' } }],
  });
  const { senders, score, health, items, events } = await world.answers(domain);
  expect(senders['x.swindle.example']).toBe('needs_review');
  // C, S and D count as 100; P is 0.8 * 100 + 0.2 * 25
  expect(score).toMatchObject({ policy_strength: 85, overall_score: 97, grade: 'A+' });
  expect(health.verdict).toBe('Locked, except for its subdomains: the policy for them is none.');
  expect(health.dns.dmarc?.details).toBe('The DMARC policy is reject, but subdomains use none.');
  expect(items).toEqual(['low dns_dmarc']);
  expect(events).toEqual(['first_report_received']);
});

it('a second DMARC record makes both void, which is an alarm after the second check', async () => {
  const domain = 'doubled.example';
  const world = await worlds.of(plainStory(domain));
  world.published.txt[`_dmarc.${domain}`] = [...policyOf('p=reject'), 'v=DMARC1; p=none'];
  await world.check(20);
  const once = await world.answers(domain);
  expect(once.health.verdict).toBe('2 DMARC records are published; receivers ignore all of them.');
  expect(once.events).toEqual(['first_report_received']);
  await world.check();
  const { health, items, events } = await world.answers(domain);
  expect(health.dns.dmarc?.status).toBe('error');
  expect(items).toEqual(['high dns_dmarc']); // no logo is advised while no policy holds
  expect(health.action_items[0]?.suggested_action).toBe('Publish one valid DMARC record at _dmarc.doubled.example.');
  expect(events).toEqual(['dmarc_record_multiple', 'dmarc_verification_lost', 'first_report_received']);
});
