import { describe, expect, it } from 'vitest';
import {
  chanceOfSilence,
  confidenceOf,
  confidenceOfPart,
  judgeCoverage,
  type ReporterDay,
  type ReporterFacts,
} from '../src/index.ts';

/** A window of 30 days after 60 of history; nothing is due about the last two. */
const days = { from: 60, notDue: 88, count: 90 };

const dayOf = (day: number, more: Partial<ReporterDay> = {}): ReporterDay => ({
  day,
  reports: 1,
  messages: 100,
  passed: 99,
  unauthenticatedReports: 0,
  unauthenticated: 0,
  conflicting: 0,
  doubtful: 0,
  doubtfulPassed: 0,
  dropped: 0,
  droppedMessages: 0,
  ...more,
});

/** A reporter that reports on every day of the history and the window for which a condition holds. */
function reporter(name: string, when: (day: number) => boolean, more: Partial<ReporterDay> = {}): ReporterFacts {
  const reported = Array.from({ length: days.count }, (_, day) => day).filter(when);
  return { name, days: reported.map((day) => dayOf(day, more)) };
}
const always = () => true;
const stateOf = (coverage: ReturnType<typeof judgeCoverage>, day: number) => coverage.days[day - days.from];

describe('the chance that a reporter is silent', () => {
  it.each([
    [28, 28, 1, 1 / 30],
    [28, 27, 1, 2 / 30],
    [28, 27, 2, (2 / 30) * (3 / 31)],
    [28, 20, 1, 9 / 30],
    [28, 20, 2, (9 / 30) * (10 / 31)],
    [28, 20, 3, (9 / 30) * (10 / 31) * (11 / 32)],
    [18, 18, 1, 1 / 20],
    [0, 0, 1, 1 / 2],
    [28, 28, 0, 1],
  ])('with reports on %#: %i days, %i with a report, %i silent', (count, reportDays, silent, chance) => {
    expect(chanceOfSilence({ days: count, reportDays }, silent)).toBeCloseTo(chance, 12);
  });
});

describe('who is missing', () => {
  it('is a reporter that reports every day, on the first day without it', () => {
    const coverage = judgeCoverage([reporter('a', (day) => day !== 80), reporter('b', always)], days);
    expect(stateOf(coverage, 80)).toMatchObject({
      state: 'reported',
      reporters: 1,
      expected: 2,
      absent: 1,
      unseen: 100,
    });
    expect(coverage.days.filter(({ absent }) => absent > 0)).toHaveLength(1);
    expect(coverage.unseen).toBe(100);
  });

  it('counts no reporter as absent for days about which reports may still arrive', () => {
    const coverage = judgeCoverage([reporter('a', (day) => day < 88), reporter('b', always)], days);
    expect(coverage.days.slice(-2)).toMatchObject([
      { state: 'not_due', expected: 0, reporters: 1 },
      { state: 'not_due', expected: 0, reporters: 1 },
    ]);
    expect(coverage.silent).toEqual([]);
  });

  it('is no reporter that pauses now and then, before its silence is longer than chance explains', () => {
    const weekdays = (day: number) => day % 7 < 5;
    const coverage = judgeCoverage(
      [reporter('office', (day) => weekdays(day) && day < 82), reporter('b', always)],
      days,
    );
    const absent = coverage.days.filter((each) => each.absent > 0).map(({ day }) => day);
    // the last report is of day 81; days 83 to 85 would be a weekend and a Monday
    expect(absent[0]).toBeGreaterThanOrEqual(84);
    expect(coverage.days.filter(({ day }) => day < 82).every((each) => each.absent === 0)).toBe(true);
  });

  it('is everybody on days when reports stop altogether, and none on days when the domain never has any', () => {
    const weekdays = (day: number) => day % 7 < 5;
    const closed = judgeCoverage([reporter('a', weekdays), reporter('b', weekdays)], days);
    expect(new Set(closed.days.map(({ state }) => state))).toEqual(new Set(['reported', 'quiet', 'not_due']));
    expect(closed.unseen).toBe(0);
    const outage = (day: number) => day < 70 || day > 72;
    const broken = judgeCoverage([reporter('a', outage), reporter('b', outage)], days);
    expect([70, 71, 72].map((day) => stateOf(broken, day))).toMatchObject([
      { state: 'missing', absent: 2 },
      { state: 'missing', absent: 2 },
      { state: 'missing', absent: 2 },
    ]);
    expect(broken.unseen).toBe(600);
    // who reports daily is expected daily again, as an outage says nothing about a reporter
    expect(stateOf(broken, 80)).toMatchObject({ expected: 2, absent: 0 });
    expect(broken.silent).toEqual([]);
  });

  it('is no longer expected four weeks after its last report', () => {
    const coverage = judgeCoverage([reporter('gone', (day) => day < 55), reporter('b', always)], days);
    expect(stateOf(coverage, 82)).toMatchObject({ expected: 2, absent: 1 });
    expect(stateOf(coverage, 83)).toMatchObject({ expected: 1, absent: 0 });
  });
});

describe('a reporter that falls silent', () => {
  it('is said with its share, the large one as large', () => {
    const coverage = judgeCoverage(
      [
        reporter('large', (day) => day < 80, { messages: 1_000, passed: 990 }),
        reporter('small', (day) => day < 80, { messages: 10, passed: 10 }),
        reporter('b', always),
      ],
      days,
    );
    expect(coverage.silent).toMatchObject([
      { name: 'large', last: 79, silentDays: 8, usualMessages: 1_000, isLarge: true },
      { name: 'small', last: 79, silentDays: 8, usualMessages: 10, isLarge: false },
    ]);
    expect(coverage.reporters.map(({ name, state }) => [name, state])).toEqual([
      ['large', 'silent'],
      ['b', 'reporting'],
      ['small', 'silent'],
    ]);
  });

  it('does not rest on reports that anybody may have sent', () => {
    const forged = reporter('a', (day) => day >= 80, {
      unauthenticatedReports: 1,
      unauthenticated: 100,
      doubtful: 100,
    });
    const own = reporter('a', (day) => day < 80);
    const coverage = judgeCoverage([{ name: 'a', days: [...own.days, ...forged.days] }, reporter('b', always)], days);
    expect(coverage.silent).toMatchObject([{ name: 'a', last: 79 }]);
    expect(coverage).toMatchObject({ unauthenticated: 1_000, doubtful: 1_000 });
  });

  it('is named only where chance does not explain it among a thousand others', () => {
    const many = Array.from({ length: 1_000 }, (_, i) => reporter(`r${i}`, (day) => i > 0 || day < 86));
    // two silent days: a chance of 1 in 465, against 1 in 20,000
    expect(judgeCoverage(many, days).silent).toEqual([]);
    const few = [reporter('r0', (day) => day < 86), ...many.slice(1, 5)];
    expect(judgeCoverage(few, days).silent).toMatchObject([{ name: 'r0' }]);
  });
});

describe('the confidence in a rate', () => {
  const sight = (messages: number, passed: number, doubtful = 0, unseen = 0) =>
    confidenceOf({ sure: { messages, passed }, doubtful, unseen, isWatched: true });

  it.each([
    ['of all of much mail', sight(100_000, 99_000), 'high', 100, 98.94, 99.06],
    ['of little mail', sight(100, 100), 'medium', 100, 96.3, 100],
    ['of one message', sight(1, 1), 'low', 100, 20.65, 100],
    ['with a tenth unseen', sight(90_000, 90_000, 0, 10_000), 'low', 90, 90, 100],
    ['with a twentieth in doubt', sight(95_000, 95_000, 5_000), 'medium', 95, 95, 100],
    ['all in doubt', sight(0, 0, 5_000), 'low', 0, 0, 100],
  ])('%s is %o', (_, confidence, level, seen, lowest, highest) => {
    expect(confidence).toMatchObject({ level, seen, lowest, highest });
  });

  it('holds the rate of all mail, whatever became of the rest', () => {
    for (const [seen, passed, rest] of [
      [1_000, 980, 50],
      [1_000, 0, 10],
      [50_000, 50_000, 10_000],
    ] as const) {
      const { lowest, highest } = sight(seen, passed, 0, rest);
      for (const more of [0, rest / 2, rest]) {
        const share = (100 * (passed + more)) / (seen + rest);
        expect(share).toBeGreaterThanOrEqual((lowest ?? 101) - 0.01);
        expect(share).toBeLessThanOrEqual((highest ?? -1) + 0.01);
      }
    }
  });

  it('is about an interval that the rate itself lies in', () => {
    for (const unseen of [0, 40])
      for (const doubtful of [0, 50])
        for (const passedInDoubt of [0, 50]) {
          const { lowest, highest } = sight(500, 400, doubtful, unseen);
          const rate = (100 * (400 + Math.min(passedInDoubt, doubtful))) / (500 + doubtful);
          expect(rate).toBeGreaterThanOrEqual(lowest ?? 101);
          expect(rate).toBeLessThanOrEqual(highest ?? -1);
        }
  });

  it('is not known without mail, or where the absence of a reporter would not be noticed', () => {
    expect(sight(0, 0)).toMatchObject({ level: 'unknown', seen: null, lowest: null, highest: null });
    expect(judgeCoverage([{ name: 'once', days: [dayOf(80)] }], days).confidence.level).toBe('unknown');
    expect(judgeCoverage([], days)).toMatchObject({ messages: 0, reporters: [], confidence: { level: 'unknown' } });
    expect(confidenceOfPart({ messages: 5, passed: 5 }, sight(0, 0)).level).toBe('unknown');
  });

  it('of one sender is that of its domain, and of its own amount', () => {
    const whole = sight(90_000, 90_000, 0, 10_000);
    expect(confidenceOfPart({ messages: 9_000, passed: 4_500 }, whole)).toMatchObject({
      lowest: 44.07,
      highest: 55.93,
    });
    expect(confidenceOfPart({ messages: 0, passed: 0 }, whole).level).toBe('unknown');
  });

  it('falls by dropped records, and by counts as large as a stranger likes', () => {
    const odd = reporter('a', always, { dropped: 3, droppedMessages: 25 });
    expect(judgeCoverage([odd], days)).toMatchObject({ dropped: 90, unseen: 750, confidence: { seen: 80 } });
    const huge = [...reporter('a', (day) => day < 80).days.slice(0, 79), dayOf(79, { messages: 2 ** 52, passed: 0 })];
    const many = judgeCoverage([reporter('a', always, { dropped: 1_000_000, droppedMessages: 1e300 })], days);
    expect([many.unseen, many.confidence.level]).toEqual([Number.MAX_SAFE_INTEGER, 'low']);
    // one day of the largest count does not make the days without it larger
    expect(judgeCoverage([{ name: 'a', days: huge }, reporter('b', always)], days).unseen).toBe(800);
  });

  it('shows days that add up to the window, also where each stands for less than a message', () => {
    const coverage = judgeCoverage([reporter('small', always, { dropped: 1, droppedMessages: 0.4 })], days);
    const ofDays = coverage.days.map(({ unseen }) => unseen);
    expect(coverage.unseen).toBe(12);
    expect(ofDays.reduce((all, one) => all + one, 0)).toBe(12);
    expect(new Set(ofDays)).toEqual(new Set([0, 1]));
  });
});

it('reporters beyond the thousandth count, and are not judged', () => {
  const others: ReporterFacts = { ...reporter('', always), name: null };
  const coverage = judgeCoverage([others, reporter('a', (day) => day < 80)], days);
  expect(coverage.messages).toBe(5_000);
  expect(coverage.reporters.map(({ name }) => name)).toEqual(['a']);
  expect(coverage.silent).toMatchObject([{ name: 'a' }]);
});
