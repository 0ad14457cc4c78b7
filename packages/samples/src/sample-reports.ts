import { addDays, startOfDay, type Day } from '@dmarc-ledger/vocabulary';
import { domains, type Moment } from './domains.ts';
import type { SampleFile } from './facts.ts';
import { Random } from './random.ts';
import { recordsOf } from './records.ts';
import { reporters, sendReport, type Reporter } from './reporters.ts';

const DAYS = 40;
const DAMAGED_DAY = 25;
const DAMAGED = 'pochta.example!aurora';

/**
 * Forty days of reports on two domains, up to the day before `today`. The same day gives the same bytes. One report
 * comes twice, and one arrives damaged, so that both can be seen.
 */
export function* sampleReports({ today }: { today: Day }): Iterable<SampleFile> {
  let resent: SampleFile | undefined;
  for (let day = 0; day < DAYS; day += 1) {
    for (const file of reportsOfDay(addDays(today, day - DAYS), day)) {
      resent ??= file;
      yield file;
      if (day === DAMAGED_DAY && file.name.startsWith(DAMAGED)) yield damaged(file);
    }
  }
  if (resent) yield { ...resent, name: `resent-${resent.name}` };
}

function* reportsOfDay(date: Day, day: number): Iterable<SampleFile> {
  const weekday = new Date(startOfDay(date) * 1000).getUTCDay();
  const moment = { day, weekday, progress: day / (DAYS - 1), isWorkday: weekday > 0 && weekday < 6 };
  for (const reporter of reporters) yield* reportsOf(reporter, date, moment);
}

function* reportsOf(reporter: Reporter, date: Day, moment: Moment): Iterable<SampleFile> {
  const [begin, end] = [startOfDay(date), startOfDay(addDays(date, 1))];
  for (const { domain, streams } of domains) {
    const random = new Random(`${reporter.host} ${domain.name} ${date}`);
    if (!random.chance(reporter.regularity)) continue;
    const records = recordsOf({ domain, streams }, reporter.share, moment, random);
    const reportId = reporter.reportId(domain.name, begin, random);
    if (records.length > 0) yield sendReport({ domain, reportId, begin, end, records }, reporter);
  }
}

function damaged({ name, bytes }: SampleFile): SampleFile {
  return { name: `damaged-${name}`, bytes: bytes.subarray(0, bytes.length / 2) };
}
