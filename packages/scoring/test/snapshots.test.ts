import { firstSnapshotDay, SnapshotRange, type DomainHistory, type Snapshot } from '@dmarc-ledger/scoring';
import { addDays, startOfDay, type Day } from '@dmarc-ledger/vocabulary';
import { describe, expect, it } from 'vitest';

const policyOf = (p: 'none' | 'quarantine' | 'reject') => ({ p, sp: undefined, pct: 100, t: false });
const dayOf = (day: Day, messages: number, compliant = messages) => ({
  day,
  messages,
  compliant,
  spfPass: compliant,
  dkimPass: compliant,
});
const reported = (
  day: Day,
  p: 'none' | 'quarantine' | 'reject',
  { endsOn = day, id = '1' }: { endsOn?: Day | null; id?: string } = {},
) => ({ day, end: endsOn === null ? null : startOfDay(endsOn) + 86_399, id, policy: policyOf(p) });

function snapshots(from: Day, to: Day, ...histories: DomainHistory[]): Snapshot[] {
  const range = new SnapshotRange(from, to);
  for (const history of histories) range.add(history);
  return [...range.snapshots()];
}
const scores = (all: Snapshot[]) => all.map(({ day, score, messages }) => [day.slice(5), score, messages]);

describe('the score of a past day', () => {
  const days = [dayOf('2026-01-10', 100), dayOf('2026-01-12', 100, 50)];
  const policies = [reported('2026-01-10', 'reject'), reported('2026-01-12', 'none')];

  it('is that of the reports that there were, carried over days without any; before the first there is none', () => {
    expect(scores(snapshots('2026-01-08', '2026-01-14', { days, policies }))).toEqual([
      ['01-10', 100, 100],
      ['01-11', 100, 100],
      ['01-12', 65, 200],
      ['01-13', 65, 200],
      ['01-14', 65, 200],
    ]);
  });

  it('rests on the 30 days up to the newest report day, however long ago', () => {
    const later = { days: [...days, dayOf('2026-02-09', 10), dayOf('2026-02-11', 10)], policies };
    expect(scores(snapshots('2026-02-08', '2026-03-30', later)).slice(0, 4)).toEqual([
      ['02-08', 65, 200],
      ['02-09', 48.64, 110], // the 10th of January is 31 days before
      ['02-10', 48.64, 110],
      ['02-11', 85, 20],
    ]);
    expect(scores(snapshots('2026-03-30', '2026-03-30', later))).toEqual([['03-30', 85, 20]]);
  });

  const [early, late] = ['2026-01-10', '2026-01-12'];
  it.each([
    ['whose window ends last', { endsOn: '2026-02-01' }, {}],
    ['that was stored last, where windows end at once', { endsOn: late, id: '2' }, { id: '1' }],
    ['that has an end, where the other has none', { id: '1' }, { endsOn: null, id: '2' }],
    [
      'that has an end before 1970, where the other has none',
      { endsOn: '1969-12-01', id: '1' },
      { endsOn: null, id: '2' },
    ],
    ['that was stored last, where none has an end', { endsOn: null, id: '2' }, { endsOn: null, id: '1' }],
  ])('takes the policy of the report %s, not of the one of the last day', (_, first, last) => {
    const one = { days, policies: [reported(early, 'reject', first), reported(late, 'none', last)] };
    const other = { days, policies: [reported(early, 'none', last), reported(late, 'reject', first)] };
    for (const history of [one, other]) expect(scores(snapshots(late, late, history))).toEqual([['01-12', 80, 200]]);
  });

  it('adds the messages of domains, takes the mean of policies, and leaves those without messages out', () => {
    const silent = { days: [dayOf('2026-01-01', 0)], policies: [reported('2026-01-01', 'reject')] };
    const other = { days: [dayOf('2026-01-01', 300)], policies: [reported('2026-01-01', 'quarantine')] };
    expect(snapshots('2026-01-12', '2026-01-12', { days, policies }, silent, other)).toEqual([
      { day: '2026-01-12', messages: 500, compliance: 90, spf: 90, dkim: 90, policy: 50, score: 82 },
    ]);
    expect(scores(snapshots('2026-01-02', '2026-01-02', silent))).toEqual([['01-02', 0, 0]]);
  });

  it('is the same whichever range it is computed in', () => {
    const many = Array.from({ length: 5 }, (_, d) => ({
      days: Array.from({ length: 90 }, (_day, i) => dayOf(addDays('2026-01-01', i), i * 7 + d, i * 5)).filter(
        (_each, i) => (i * 13 + d) % 5 !== 0,
      ),
      policies: [reported('2026-01-01', 'none'), reported('2026-02-15', 'reject')],
    }));
    const whole = snapshots('2026-01-01', '2026-04-30', ...many);
    for (const day of ['2026-01-20', '2026-02-14', '2026-03-31', '2026-04-29']) {
      expect(snapshots(day, day, ...many)).toEqual(whole.filter((snapshot) => snapshot.day === day));
    }
  });
});

describe('the first snapshot to compute, on the 20th,', () => {
  const known = { firstReportDay: '2026-01-02', changedFrom: null, importedFrom: null };
  it.each([
    ['of all when there is none', { last: null }, '2026-01-02'],
    ['is the first that is missing', { last: '2026-01-15' }, '2026-01-16'],
    ['is none when yesterday’s is there', { last: '2026-01-19' }, '2026-01-20'],
    ['is that of the day that a late report is about', { last: '2026-01-19', changedFrom: '2026-01-18' }, '2026-01-18'],
    [
      'is that of a report that was late but in time, though its day is final by now',
      { last: '2026-01-19', changedFrom: '2026-01-03' },
      '2026-01-03',
    ],
    [
      'is what an import brought',
      { last: '2026-01-19', changedFrom: '2026-01-17', importedFrom: '2026-01-05' },
      '2026-01-05',
    ],
    ['is not before the first report', { last: '2026-01-19', importedFrom: '2025-12-30' }, '2026-01-02'],
  ])('%s', (_, more, expected) => expect(firstSnapshotDay({ ...known, ...more })).toBe(expected));
});
