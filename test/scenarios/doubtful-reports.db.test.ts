import { afterAll, beforeAll, expect, it } from 'vitest';
import { botnet, host } from './support/hosts.ts';
import { ownMail } from './support/mail.ts';
import { openWorlds, plainStory, type Story, type Worlds } from './support/worlds.ts';

let worlds: Worlds;
beforeAll(async () => {
  worlds = await openWorlds();
});
afterAll(() => worlds[Symbol.asyncDispose]());

/** Reports that somebody mails in the name of a reporter: 6,000 messages of twelve networks fail in one day. */
function slander(story: Story): Story {
  const from = botnet(12, 'fake#.nowhere.example');
  const mail = { broken: 's1', path: 'nowhere.example', from: `pay.${story.domain}` };
  const seenBy = 'enterprise.lookout.example';
  return { ...story, mailed: 'fail', streams: [{ from, daily: 500, days: [1, 1], seenBy, mail }] };
}

it('a reporter that lies counts with a warning, and raises no event', async () => {
  const domain = 'slander.example';
  const story = plainStory(domain);
  const world = await worlds.of({ ...story, mailed: 'pass' });
  const before = await world.answers(domain);
  await world.arrive(slander(story));
  const { senders, score, health, events, items, totals } = await world.answers(domain);
  expect(totals).toMatchObject({ total_messages: 26_000, total_reports: 21 });
  expect(new Set(Object.values(senders))).toEqual(new Set(['authenticated', 'needs_review']));
  expect(score).toMatchObject({ compliance_rate: 76.92, overall_score: 81.54, grade: 'B-' });
  expect(health.verdict).toBe('23.08% of mail fails DMARC.');
  expect(before.events).toEqual(['first_report_received']);
  expect(events).toEqual(before.events);
  expect(items).toEqual([]);
});

it('the same lies, held, change nothing at all, until the reporter turns out to have sent them', async () => {
  const domain = 'held.example';
  const story = plainStory(domain);
  const world = await worlds.of({ ...story, mailed: 'pass' });
  const before = await world.answers(domain);
  const lies = slander(story);
  await world.arrive(lies);
  await world.set('hold');
  const { score, health, events, items, senders, totals } = await world.answers(domain);
  expect({ score, events, items, senders, totals }).toEqual({
    score: before.score,
    events: before.events,
    items: before.items,
    senders: before.senders,
    totals: before.totals,
  });
  expect(health.verdict).toBe('Protected: all mail passes DMARC.');
  await world.arrive({ ...lies, mailed: 'pass' });
  const after = await world.answers(domain);
  expect(after.totals.total_messages).toBe(26_000);
  expect(after.events).toContain('spoofing_campaign');
});

it('reports dated after today wait for their day', async () => {
  const domain = 'future.example';
  const own = host('mail.future.example');
  const mail = { signed: 's1', path: domain };
  const world = await worlds.of({
    ...plainStory(domain, own),
    streams: [{ from: own, daily: 1_000, days: [-2, -3], mail }],
  });
  const { score, health, events, items } = await world.answers(domain);
  expect(score).toMatchObject({ grade: 'N/A', total_messages: 0 });
  expect(health.verdict).toBe('Reports arrive, but they are dated after today.');
  expect(events).toEqual(['first_report_received']); // nothing has started to send yet
  expect(items).toEqual([]);
});

it('a parked domain is discovered by no forged report, and holding it makes it as if it had not come', async () => {
  const domain = 'parked.example';
  const parked: Story = { domain, dmarc: 'p=reject', spf: '-all', streams: [] };
  const world = await worlds.of(parked);
  const before = await world.answers(domain);
  expect(before.health.verdict).toBe('No DMARC reports have arrived for this domain yet.');
  const liar = host('mail.parked.example');
  await world.arrive({ ...parked, mailed: 'fail', streams: [{ ...ownMail(liar, domain, 100_000), days: [1, 1] }] });
  const counted = await world.answers(domain);
  expect(counted.totals.total_messages).toBe(100_000);
  expect(counted.events).toEqual([]);
  await world.set('hold');
  const held = await world.answers(domain);
  expect(held.totals).toEqual(before.totals);
  expect(held.senders).toEqual({});
  expect(held.health.verdict).toBe(before.health.verdict);
  expect(held.events).toEqual([]);
});

it('reports that stop are missed after four days, and a forged one is none', async () => {
  const domain = 'silent.example';
  const own = host('mail.silent.example');
  const world = await worlds.of(plainStory(domain, own));
  await world.wait(97);
  const silent = await world.answers(domain);
  expect(silent.events).toEqual(['first_report_received', 'reports_stopped']);
  expect(silent.items[0]).toBe('medium reports_stopped');
  const one = (mailed: Story['mailed'], count: number): Story => ({
    ...plainStory(domain, own),
    mailed,
    streams: [{ ...ownMail(own, domain, count), days: [1, 1] }],
  });
  await world.arrive(one('fail', 9));
  expect((await world.answers(domain)).items[0]).toBe('medium reports_stopped');
  await world.arrive(one('pass', 10));
  const back = await world.answers(domain);
  expect(back.events).toEqual(['first_report_received', 'reports_resumed', 'reports_stopped']);
  expect(back.items).toEqual(['low dns_bimi']);
});
