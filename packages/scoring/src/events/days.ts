import { addDays, groupedDigits, rate, type Day } from '@dmarc-ledger/vocabulary';
import { round } from '../policy-strength.ts';
import { baseOf, failingOf, type DayFigures } from './baseline.ts';
import { holding, over, type Judgement } from './judgement.ts';

/** Older days are over: what comes late, or is imported, alarms nobody. */
const JUDGED_DAYS = 3;
/** Messages of a day from which its rates tell anything, and points below the base. */
const DROP = { messages: 100, points: 10, critical: 25, recovered: 5, days: 2 };
const SPIKE = { failing: 100, volume: 1_000, times: 3 };
const CAMPAIGN = { messages: 500, addresses: 10, networks: 5 };
const QUIET = { base: 200, part: 0.2, days: 3 };
const ALIGNMENT = { messages: 100, points: 20 };

/** Failing mail of a day by where it came from: what the classes of its records leave as doubtful. */
export interface DoubtfulMail {
  messages: number;
  addresses: number;
  /** Autonomous systems; where that is unknown, networks of 16 bits (of 32 in IPv6). */
  networks: number;
}

/** A drop that has been told, and may be over. */
export interface OpenDrop {
  day: Day;
  base: number;
}

export interface DayFacts {
  domain: string;
  today: Day;
  /** Of the last weeks, oldest first. */
  days: readonly DayFigures[];
  /** Of the days that `daysToLookInto` has named. */
  doubtful: ReadonlyMap<Day, DoubtfulMail>;
  /** Reporters that send usually have all sent about the last days; asked for by `isQuiet`. */
  hasAllReporters: boolean;
  drops: readonly OpenDrop[];
}

/** Days whose failing mail may be a spike or a campaign: only of these is it looked at where it came from. */
export function daysToLookInto({ days, today }: Pick<DayFacts, 'days' | 'today'>): Day[] {
  return judged(days, today).flatMap((day) => (failingOf(day) >= SPIKE.failing ? [day.day] : []));
}

/** Three days in a row that are over, each with less than a fifth of what was usual before them: the newest of them. */
export function quietDay({ days, today }: Pick<DayFacts, 'days' | 'today'>): Day | undefined {
  const newest = judged(days, today).findLast(({ day }) => day < today)?.day;
  if (newest === undefined) return undefined;
  const first = addDays(newest, 1 - QUIET.days);
  const base = baseOf(days, first, ({ messages }) => messages);
  if (base === undefined || base < QUIET.base) return undefined;
  const low = days.filter(({ day, messages }) => day >= first && day <= newest && messages < QUIET.part * base);
  return low.length === QUIET.days ? newest : undefined;
}

/** The figures of the last days against those before. (rules, events/figures-of-a-day) */
export function judgeDays(facts: DayFacts): { judgements: Judgement[]; drops: OpenDrop[] } {
  const { domain, days, today } = facts;
  const found = judged(days, today).map((day) => ({ day, drop: dropOf(facts, day) }));
  const dropped = found.flatMap(({ drop }) => drop ?? []);
  const known = [...facts.drops.filter(({ day }) => !dropped.some((drop) => drop.day === day)), ...dropped];
  const [ended, open] = [
    known.filter((drop) => hasRecovered(drop, days)),
    known.filter((drop) => !hasRecovered(drop, days)),
  ];
  const judgements = found.flatMap(({ day, drop }) => [
    ...(drop ? [drop.judgement].filter(() => open.includes(drop)) : alignmentDrops(facts, day)),
    ...failures(facts, day),
    ...volumeSpike(facts, day),
  ]);
  const recovered = ended.map(({ day }) => over('compliance_drop', domain, day));
  const quiet = facts.hasAllReporters && quietDay(facts) !== undefined ? [holding('volume_drop', { domain })] : [];
  return { judgements: [...judgements, ...recovered, ...quiet], drops: open.map(({ day, base }) => ({ day, base })) };
}

function judged(days: readonly DayFigures[], today: Day): DayFigures[] {
  return days.filter(({ day }) => day >= addDays(today, -JUDGED_DAYS) && day <= today);
}

/** A rate of a day with mail, with two decimals. */
function rateOf(part: (day: DayFigures) => number): (day: DayFigures) => number | undefined {
  return (day) => (day.messages === 0 ? undefined : rate(part(day), day.messages));
}

const compliance = rateOf(({ compliant }) => compliant);

function dropOf({ domain, days }: DayFacts, figures: DayFigures) {
  const base = baseOf(days, figures.day, compliance);
  if (base === undefined || figures.messages < DROP.messages) return undefined;
  const passed = compliance(figures)!; // there is mail
  const points = round(base - passed);
  if (points < DROP.points) return undefined;
  const judgement = holding('compliance_drop', {
    domain,
    parts: [domain, figures.day],
    severity: points >= DROP.critical ? 'critical' : 'warning',
    message: `${passed}% of mail from ${domain} passed on ${figures.day}, down from ${round(base)}%.`,
  });
  return { day: figures.day, base, judgement };
}

/** Two days in a row, of those with mail, were near what was usual before it fell. */
function hasRecovered({ day, base }: OpenDrop, days: readonly DayFigures[]): boolean {
  const since = days.filter((other) => other.day > day && other.messages > 0);
  const isNear = (other: DayFigures | undefined) => other && round(base - compliance(other)!) <= DROP.recovered;
  return since.some((other, i) => isNear(other) && isNear(since[i - 1]));
}

const mechanisms = [
  ['spf', rateOf(({ spfPass }) => spfPass)],
  ['dkim', rateOf(({ dkimPass }) => dkimPass)],
] as const;

function alignmentDrops({ domain, days }: DayFacts, figures: DayFigures): Judgement[] {
  if (figures.messages < ALIGNMENT.messages) return [];
  return mechanisms.flatMap(([mechanism, aligned]) => {
    const base = baseOf(days, figures.day, aligned);
    if (base === undefined || round(base - aligned(figures)!) < ALIGNMENT.points) return [];
    return [holding('alignment_drop', { domain, parts: [domain, mechanism, figures.day] })];
  });
}

function failures({ domain, days, doubtful }: DayFacts, { day }: DayFigures): Judgement[] {
  const mail = doubtful.get(day);
  if (!mail) return [];
  const { messages, addresses, networks } = mail;
  if (messages >= CAMPAIGN.messages && addresses >= CAMPAIGN.addresses && networks >= CAMPAIGN.networks) {
    const message = `${groupedDigits(messages)} messages from ${groupedDigits(addresses)} addresses failed DMARC for ${domain} on ${day}.`;
    return [
      holding('spoofing_campaign', { domain, parts: [domain, day], message }),
      over('failure_spike', domain, day),
    ];
  }
  const base = baseOf(days, day, failingOf);
  if (base === undefined || messages < SPIKE.failing || messages < SPIKE.times * base) return [];
  return [holding('failure_spike', { domain, parts: [domain, day], message: usually(messages, day, base) })];
}

function volumeSpike({ domain, days }: DayFacts, { day, messages }: DayFigures): Judgement[] {
  const base = baseOf(days, day, (other) => other.messages);
  if (base === undefined || messages < SPIKE.volume || messages < SPIKE.times * base) return [];
  return [holding('volume_spike', { domain, parts: [domain, day], message: usually(messages, day, base) })];
}

function usually(messages: number, day: Day, base: number): string {
  return `${groupedDigits(messages)} messages on ${day}, usually about ${groupedDigits(Math.round(base))}.`;
}
