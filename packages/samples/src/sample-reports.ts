import { addDays, startOfDay, type Day } from '@dmarc-ledger/vocabulary';
import { domains } from './domains.ts';
import type { SampleFile } from './facts.ts';
import { Random } from './random.ts';
import { recordsOf } from './records.ts';
import { reporters, sendReport, type Reporter } from './reporters.ts';
import type { SampleStory } from './sample-domain.ts';
import type { Moment } from './streams.ts';

/** The number of days of the samples. */
const DAYS = 60;
const DAMAGED_FROM = 25;
const DAMAGED = 'pochta.example!aurora';

/**
 * Two months of reports on several domains, up to the day before `today`. The same day gives the same bytes. One report
 * comes twice, one arrives damaged, and one reporter stops, so that all of this can be seen.
 */
export function* sampleReports({ today }: { today: Day }): Iterable<SampleFile> {
  let resent: SampleFile | undefined;
  let isDamaged = false;
  for (let day = 0; day < DAYS; day += 1) {
    for (const file of reportsOfDay(addDays(today, day - DAYS), day)) {
      resent ??= file;
      yield file;
      if (isDamaged || day < DAMAGED_FROM || !file.name.startsWith(DAMAGED)) continue;
      isDamaged = true;
      yield damaged(file);
    }
  }
  if (resent) yield { ...resent, name: `resent-${resent.name}` };
}

function* reportsOfDay(date: Day, day: number): Iterable<SampleFile> {
  const weekday = new Date(startOfDay(date) * 1000).getUTCDay();
  const moment = { day, weekday, progress: day / (DAYS - 1), isWorkday: weekday > 0 && weekday < 6 };
  for (const [rank, reporter] of reporters.entries()) {
    if (day >= DAYS - (reporter.silentDays ?? 0)) continue;
    const received = domains.filter((story) => isReported(story, rank, day));
    for (const story of received) yield* reportsOf(reporter, story, date, moment);
  }
}

function isReported({ reporters: most = reporters.length, silentDays = 0 }: SampleStory, rank: number, day: number) {
  return rank < most && day < DAYS - silentDays;
}

function* reportsOf(reporter: Reporter, story: SampleStory, date: Day, moment: Moment): Iterable<SampleFile> {
  const [begin, end] = [startOfDay(date), startOfDay(addDays(date, 1))];
  const domain = { name: story.name, ...story.policyOn(moment.day) };
  const random = new Random(`${reporter.host} ${domain.name} ${date}`);
  if (!random.chance(reporter.regularity)) return;
  const records = recordsOf({ domain, streams: story.streams }, reporter.share, moment, random);
  const reportId = reporter.reportId(domain.name, begin, random);
  if (records.length > 0) yield sendReport({ domain, reportId, begin, end, records }, reporter);
}

function damaged({ name, bytes }: SampleFile): SampleFile {
  return { name: `damaged-${name}`, bytes: bytes.subarray(0, bytes.length / 2) };
}
