import { addDays, type Day } from '@dmarc-ledger/vocabulary';
import { describe, expect, it } from 'vitest';
import {
  daysOfOwnMail,
  daysToLookInto,
  judgeDays,
  quietDays,
  type DayFacts,
  type DayFigures,
  type DoubtfulMail,
  type OpenDrop,
} from '../../src/index.ts';

const TODAY = '2026-03-20';
const domain = 'example.com';

/** A day of plain mail, so many days ago. */
function day(ago: number, figures: Partial<DayFigures> = {}): DayFigures {
  const messages = figures.messages ?? 1_000;
  const full = { messages, compliant: messages, proved: 0, spfPass: messages, dkimPass: messages };
  return { day: addDays(TODAY, -ago), ...full, ...figures };
}

/** Days with reports, so many before the one that is judged, which is yesterday. */
function before(count: number, figures: Partial<DayFigures> = {}): DayFigures[] {
  return Array.from({ length: count }, (_, i) => day(count + 1 - i, figures));
}

function judge(days: DayFigures[], more: Partial<DayFacts> = {}) {
  const asked = daysOfOwnMail({ days, today: TODAY, drops: more.drops ?? [] });
  const own: DayFacts['own'] = new Map(asked.map(({ judged }) => [judged, days]));
  const plain = { own, doubtful: new Map(), reported: new Set<Day>(), drops: [] };
  const facts: DayFacts = { domain, today: TODAY, days, ...plain, ...more };
  const { judgements, drops } = judgeDays(facts);
  const raised = judgements.flatMap((one) => (one.state === 'holds' ? [`${one.key} ${one.severity}`] : []));
  const over = judgements.flatMap((one) => (one.state === 'over' ? [one.key] : []));
  return { raised, over, drops, messages: judgements.map((one) => (one.state === 'holds' ? one.message : '')) };
}

const yesterday = addDays(TODAY, -1);

describe('a drop of compliance', () => {
  const drop = (compliant: number, messages = 10_000) => day(1, { messages, compliant });
  it.each([
    ['is 10 points', before(14), drop(9_000), `compliance_drop/${domain}/${yesterday} warning`],
    ['is not 9.99 points', before(14), drop(9_001), undefined],
    ['is critical at 25', before(14), drop(7_500), `compliance_drop/${domain}/${yesterday} critical`],
    ['is not critical at 24.99', before(14), drop(7_501), `compliance_drop/${domain}/${yesterday} warning`],
    ['is of 100 messages', before(14), drop(80, 100), `compliance_drop/${domain}/${yesterday} warning`],
    ['is not of 99', before(14), drop(79, 99), undefined],
    ['has 7 days to compare with', before(7), drop(8_000), `compliance_drop/${domain}/${yesterday} warning`],
    ['has more than 6', before(6), drop(8_000), undefined],
    [
      'is measured from the mean of days, not of messages',
      [...before(8).slice(0, 4), ...before(8, { messages: 10, compliant: 6 }).slice(4)], // 80%
      drop(7_000),
      `compliance_drop/${domain}/${yesterday} warning`,
    ],
    ['leaves days without mail aside', [...before(6), day(8, { messages: 0 })].toReversed(), drop(8_000), undefined],
  ])('%s', (_, base, judged, expected) => {
    expect(judge([...base, judged]).raised.filter((key) => key.startsWith('compliance'))).toEqual(
      expected ? [expected] : [],
    );
  });

  it('says how much passed, and how much usually does', () => {
    expect(judge([...before(14, { compliant: 985 }), drop(7_813)]).messages).toContain(
      `78.13% of mail from ${domain} passed on ${yesterday}, down from 98.5%.`,
    );
  });

  it.each([
    [3, true],
    [4, false],
  ])('judges a day %s days ago: %s', (ago, isRaised) => {
    const days = [...Array.from({ length: 14 }, (_, i) => day(ago + 14 - i)), day(ago, { compliant: 500 })];
    expect(judge(days).raised.length > 0).toBe(isRaised);
  });

  const open: OpenDrop[] = [{ day: addDays(TODAY, -5), base: 100 }];
  it.each([
    ['after two days within 5 points', [4, 3], 950, true],
    ['not at 5.1 points', [4, 3], 949, false],
    ['not after one', [3], 1_000, false],
  ])('is over %s', (_, ago, compliant, isOver) => {
    const days = [day(5, { compliant: 500 }), ...ago.map((one) => day(one, { compliant }))];
    const { over, drops } = judge(days, { drops: open });
    expect(over).toEqual(isOver ? [`compliance_drop/${domain}/${addDays(TODAY, -5)}`] : []);
    expect(drops).toEqual(isOver ? [] : open);
  });
});

describe('own mail', () => {
  const wave = day(1, { messages: 10_000, compliant: 1_000, spfPass: 1_000, dkimPass: 1_000 });
  const ownDay = (figures: Partial<DayFigures>) => new Map([[yesterday, [...before(14), day(1, figures)]]]);
  it.each([
    ['is no drop while forged mail fails', ownDay({}), []],
    [
      'drops although forged mail fails too',
      ownDay({ compliant: 900 }),
      [`compliance_drop/${domain}/${yesterday} warning`],
    ],
    ['loses alignment', ownDay({ spfPass: 800 }), [`alignment_drop/${domain}/spf/${yesterday} warning`]],
    ['is too little, with 99 messages', ownDay({ messages: 99, compliant: 0 }), []],
    ['is none', new Map(), []],
  ])('%s', (_, own, expected) => {
    const { raised } = judge([...before(14), wave], { own });
    expect(raised.filter((key) => /_drop/.test(key))).toEqual(expected);
  });

  it.each([
    ['10 failing messages', { compliant: 990 }, true],
    ['9', { compliant: 991 }, false],
    ['20 without SPF', { spfPass: 980 }, true],
    ['19', { spfPass: 981 }, false],
    ['99 messages in all', { messages: 99, compliant: 0 }, false],
  ])('is summed up for a day with %s: %o', (_, figures, isAsked) => {
    const asked = daysOfOwnMail({ days: [day(1, figures)], today: TODAY, drops: [] });
    expect(asked).toEqual(isAsked ? [{ judged: yesterday, first: addDays(yesterday, -14) }] : []);
  });
});

const mail = (messages: number, addresses = 1, networks = 1) =>
  new Map<Day, DoubtfulMail>([[yesterday, { messages, addresses, networks }]]);

describe('failures', () => {
  const failing = (messages: number) => day(1, { messages: 2_000, compliant: 2_000 - messages });
  it.each([
    ['spike at 3 times', before(14, { compliant: 950 }), 150, mail(150), ['failure_spike']],
    ['do not below', before(14, { compliant: 950 }), 149, mail(149), []],
    ['spike from 100', before(14), 100, mail(100), ['failure_spike']],
    ['do not with 99', before(14), 100, mail(99), []],
    ['need a base', before(6), 400, mail(400), []],
    ['are a campaign from 500, 10 addresses, 5 networks', before(14), 500, mail(500, 10, 5), ['spoofing_campaign']],
    ['are none with 499', before(14), 499, mail(499, 10, 5), ['failure_spike']],
    ['are none from 9 addresses', before(14), 500, mail(500, 9, 5), ['failure_spike']],
    ['are none from 4 networks', before(14), 500, mail(500, 10, 4), ['failure_spike']],
    ['are a campaign without a base', [], 500, mail(500, 10, 5), ['spoofing_campaign']],
  ])('%s', (_, base, messages, doubtful, expected) => {
    const { raised } = judge([...base, failing(messages)], { doubtful });
    const types = raised.map((key) => key.split('/')[0]!);
    expect(types.filter((type) => type.startsWith('failure') || type.startsWith('spoofing'))).toEqual(expected);
  });

  it('are a campaign in the place of a spike', () => {
    const { over, messages } = judge([...before(14), failing(1_500)], { doubtful: mail(1_500, 12, 6) });
    expect(over).toEqual([`failure_spike/${domain}/${yesterday}`]);
    expect(messages).toContain(`1,500 messages from 12 addresses failed DMARC for ${domain} on ${yesterday}.`);
  });

  it('whose forwarding is proved are not looked into', () => {
    const days = [...before(14), day(1, { compliant: 800, proved: 101 }), day(2, { compliant: 800, proved: 100 })];
    expect(daysToLookInto({ days, today: TODAY })).toEqual([addDays(TODAY, -2)]);
  });
});

describe('volume', () => {
  it.each([
    ['spikes at 1,000 and 3 times', before(14, { messages: 333 }), 1_000, true],
    ['not with 999', before(14, { messages: 100 }), 999, false],
    ['not below 3 times', before(14, { messages: 334 }), 1_001, false],
    ['not without a base', before(6, { messages: 10 }), 5_000, false],
  ])('%s', (_, base, messages, isRaised) => {
    expect(judge([...base, day(1, { messages })]).raised).toEqual(
      isRaised ? [`volume_spike/${domain}/${yesterday} info`] : [],
    );
  });

  const usual = Array.from({ length: 14 }, (_, i) => day(17 - i, { messages: 200 }));
  const low = (...counts: number[]) => counts.map((messages, i) => day(counts.length - i, { messages }));
  const since = (first: number) => Array.from({ length: first }, (_, i) => day(first - i, { messages: 39 }));
  const until = (last: number) => Array.from({ length: 14 }, (_, i) => day(last + 13 - i));
  it.each<[string, DayFigures[], number[]]>([
    ['a third day under a fifth', [...usual, ...low(39, 39, 39)], [1]],
    ['not a second one', [...usual, ...low(200, 39, 39)], []],
    ['not a fifth', [...usual, ...low(40, 39, 39)], []],
    ['not of less than 200', [...usual.map((one) => ({ ...one, messages: 199 })), ...low(1, 1, 1)], []],
    ['not today, which is not over', [...usual.slice(0, -1), ...low(39, 39), day(0, { messages: 1 })], []],
    ['not with a day missing', [...usual, ...low(39, 39, 39).slice(0, 1), ...low(39)], []],
    ['a fourth day too', [...until(5), ...since(4)], [1, 2]],
    ['a fifth day too', [...until(6), ...since(5)], [1, 2, 3]],
    ['not one that is more than three days ago', [...until(7), ...since(6)], [1, 2, 3]],
    ['not one before a day with a fifth or more', [...until(5), ...since(4).slice(0, -1), day(1)], []],
    ['a third day before one of which nothing is known yet', [...until(5), ...since(4).slice(0, -1)], [2]],
  ])('drops: %s', (_, days, ago) =>
    expect(quietDays({ days, today: TODAY })).toEqual(ago.map((one) => addDays(TODAY, -one))),
  );

  it.each<[string, Day[], number]>([
    ['none of them', [], 0],
    ['the newest', [yesterday], 1],
    ['the one before, as one of them is slow', [addDays(TODAY, -2)], 1],
    ['a day that is not low', [addDays(TODAY, -4)], 0],
  ])('drops when the usual reporters have sent for %s', (_, reported, count) => {
    const days = [...until(5), ...since(4)];
    expect(judge(days, { reported: new Set(reported) }).raised).toHaveLength(count);
  });
});

describe('alignment', () => {
  it.each([
    ['of SPF drops by 20 points', { spfPass: 800 }, [`alignment_drop/${domain}/spf/${yesterday} warning`]],
    ['of DKIM too', { dkimPass: 800 }, [`alignment_drop/${domain}/dkim/${yesterday} warning`]],
    ['not by 19.9', { spfPass: 801 }, []],
    ['not of 99 messages', { messages: 99, spfPass: 0 }, []],
    [
      'is not raised beside compliance',
      { spfPass: 500, dkimPass: 500, compliant: 500 },
      [`compliance_drop/${domain}/${yesterday} critical`],
    ],
  ])('%s', (_, figures, expected) => expect(judge([...before(14), day(1, figures)]).raised).toEqual(expected));
});
