import { addDays, rate, type Day } from '@dmarc-ledger/vocabulary';
import { round } from '../policy-strength.ts';
import { BASE_DAYS, baseOf, failingOf, type DayFigures } from './baseline.ts';
import { eventTexts } from './event-texts.ts';
import { holding, over, type Judgement } from './judgement.ts';

/** Reports that arrive late, or are imported, raise no alarm about older days. */
const JUDGED_DAYS = 3;
/** The messages a day needs for its rates to be meaningful, and drops in points below the base. */
const DROP = { messages: 100, points: 10, critical: 25, recovered: 5, days: 2 };
const SPIKE = { failing: 100, volume: 1_000, times: 3 };
const CAMPAIGN = { messages: 500, addresses: 10, networks: 5 };
const QUIET = { base: 200, part: 0.2, days: 3 };
const ALIGNMENT = { messages: 100, points: 20 };

/** A day's judged failing mail whose forwarding is not proved, counted by origin. */
export interface DoubtfulMail {
  messages: number;
  addresses: number;
  /** Autonomous systems; where unknown, networks of 16 bits (of 32 in IPv6). */
  networks: number;
}

/** A drop that was reported, and may be over. */
export interface OpenDrop {
  day: Day;
  base: number;
}

/** A judged day, and the first of the days that its own mail is compared with. */
export interface OwnDays {
  judged: Day;
  first: Day;
}

export interface DayFacts {
  domain: string;
  today: Day;
  /** The last weeks, oldest first. */
  days: readonly DayFigures[];
  /** The sums over the mail of own sources, by the judged day, for the days named by `daysOfOwnMail`. */
  own: ReadonlyMap<Day, readonly DayFigures[]>;
  /** The days named by `daysToLookInto`. */
  doubtful: ReadonlyMap<Day, DoubtfulMail>;
  /** Those of `quietDays` that all usual reporters have sent reports about, and about the two days before. */
  reported: ReadonlySet<Day>;
  drops: readonly OpenDrop[];
}

/** Days whose failing mail may be a spike or a campaign; the origin of mail is only loaded for these. */
export function daysToLookInto({ days, today }: Pick<DayFacts, 'days' | 'today'>): Day[] {
  return judged(days, today).flatMap((day) => (failingOf(day) >= SPIKE.failing ? [day.day] : []));
}

/**
 * Days whose own mail may have dropped, or recovered; own mail is only summed up for these. A drop takes failing mail:
 * no more of it is own than there is in all.
 */
export function daysOfOwnMail({ days, today, drops }: Pick<DayFacts, 'days' | 'today' | 'drops'>): OwnDays[] {
  const [firstDrop] = drops.map(({ day }) => day).toSorted();
  const compared = judged(days, today)
    .filter(mayDrop)
    .map(({ day }) => ({ judged: day, first: addDays(day, -BASE_DAYS) }));
  const after = days.filter(({ day, messages }) => firstDrop !== undefined && day > firstDrop && messages > 0);
  const others = after.filter(({ day }) => !compared.some((one) => one.judged === day));
  return [...compared, ...others.map(({ day }) => ({ judged: day, first: day }))];
}

function mayDrop({ messages, compliant, spfPass, dkimPass }: DayFigures): boolean {
  const unaligned = messages - Math.min(spfPass, dkimPass);
  if (messages < Math.min(DROP.messages, ALIGNMENT.messages)) return false;
  return (
    100 * (messages - compliant) >= DROP.points * DROP.messages ||
    100 * unaligned >= ALIGNMENT.points * ALIGNMENT.messages
  );
}

/**
 * The days that end three consecutive complete days with less than a fifth of the usual messages each, newest first.
 * Reporters differ in how late they send, so the newest day may lack reports that an older one has.
 */
export function quietDays({ days, today }: Pick<DayFacts, 'days' | 'today'>): Day[] {
  return judged(days, today)
    .flatMap(({ day }) => (day < today && isQuiet(days, day, today) ? [day] : []))
    .toReversed();
}

/** A later day with more than that is no drop any more: reports that are missing can only add messages. */
function isQuiet(days: readonly DayFigures[], last: Day, today: Day): boolean {
  const first = addDays(last, 1 - QUIET.days);
  const base = baseOf(days, first, ({ messages }) => messages);
  if (base === undefined || base < QUIET.base) return false;
  const low = days.filter(({ day, messages }) => day >= first && day <= last && messages < QUIET.part * base);
  const isBack = days.some(({ day, messages }) => day > last && day < today && messages >= QUIET.part * base);
  return low.length === QUIET.days && !isBack;
}

/** Compares the last days with those before. (rules, events/figures-of-a-day) */
export function judgeDays(facts: DayFacts): { judgements: Judgement[]; drops: OpenDrop[] } {
  const { domain, days, today } = facts;
  const found = judged(days, today).map((day) => ({ day, drop: dropOf(facts, day.day) }));
  const dropped = found.flatMap(({ drop }) => drop ?? []);
  const known = [...facts.drops.filter(({ day }) => !dropped.some((drop) => drop.day === day)), ...dropped];
  const [ended, open] = [
    known.filter((drop) => hasRecovered(drop, facts)),
    known.filter((drop) => !hasRecovered(drop, facts)),
  ];
  const judgements = found.flatMap(({ day, drop }) => [
    ...(drop ? [drop.judgement].filter(() => open.includes(drop)) : alignmentDrops(facts, day.day)),
    ...failures(facts, day),
    ...volumeSpike(facts, day),
  ]);
  const recovered = ended.map(({ day }) => over('compliance_drop', domain, day));
  const quiet = quietDays(facts).some((day) => facts.reported.has(day)) ? [holding('volume_drop', { domain })] : [];
  return { judgements: [...judgements, ...recovered, ...quiet], drops: open.map(({ day, base }) => ({ day, base })) };
}

function judged(days: readonly DayFigures[], today: Day): DayFigures[] {
  return days.filter(({ day }) => day >= addDays(today, -JUDGED_DAYS) && day <= today);
}

/** A rate of a day that has mail, with two decimals. */
function rateOf(part: (day: DayFigures) => number): (day: DayFigures) => number | undefined {
  return (day) => (day.messages === 0 ? undefined : rate(part(day), day.messages));
}

const compliance = rateOf(({ compliant }) => compliant);

/** The figures of own sources on a judged day. */
function ownOf({ own }: DayFacts, day: Day): DayFigures | undefined {
  return own.get(day)?.find((one) => one.day === day);
}

function dropOf(facts: DayFacts, day: Day) {
  const { domain } = facts;
  const figures = ownOf(facts, day);
  const base = baseOf(facts.own.get(day) ?? [], day, compliance);
  if (!figures || base === undefined || figures.messages < DROP.messages) return undefined;
  const passed = compliance(figures)!; // the day has mail
  const points = round(base - passed);
  if (points < DROP.points) return undefined;
  const judgement = holding('compliance_drop', {
    domain,
    parts: [domain, figures.day],
    severity: points >= DROP.critical ? 'critical' : 'warning',
    message: eventTexts.dropped({ percent: passed, domain, day: figures.day, usual: round(base) }),
  });
  return { day: figures.day, base, judgement };
}

/** True if own mail came close to the base before the drop on two consecutive days that have any. */
function hasRecovered({ day, base }: OpenDrop, facts: DayFacts): boolean {
  const since = facts.days.flatMap((other) => (other.day > day ? (ownOf(facts, other.day) ?? []) : []));
  const isNear = (other: DayFigures | undefined) => other && round(base - compliance(other)!) <= DROP.recovered;
  return since.some((other, i) => isNear(other) && isNear(since[i - 1]));
}

const mechanisms = [
  ['spf', rateOf(({ spfPass }) => spfPass)],
  ['dkim', rateOf(({ dkimPass }) => dkimPass)],
] as const;

function alignmentDrops(facts: DayFacts, day: Day): Judgement[] {
  const { domain } = facts;
  const figures = ownOf(facts, day);
  if (!figures || figures.messages < ALIGNMENT.messages) return [];
  return mechanisms.flatMap(([mechanism, aligned]) => {
    const base = baseOf(facts.own.get(day) ?? [], day, aligned);
    if (base === undefined || round(base - aligned(figures)!) < ALIGNMENT.points) return [];
    return [holding('alignment_drop', { domain, parts: [domain, mechanism, figures.day] })];
  });
}

function failures({ domain, days, doubtful }: DayFacts, { day }: DayFigures): Judgement[] {
  const mail = doubtful.get(day);
  if (!mail) return [];
  const { messages, addresses, networks } = mail;
  if (messages >= CAMPAIGN.messages && addresses >= CAMPAIGN.addresses && networks >= CAMPAIGN.networks) {
    const message = eventTexts.campaign({ messages, addresses, domain, day });
    return [
      holding('spoofing_campaign', { domain, parts: [domain, day], message }),
      over('failure_spike', domain, day),
    ];
  }
  const base = baseOf(days, day, failingOf);
  if (base === undefined || messages < SPIKE.failing || messages < SPIKE.times * base) return [];
  return [
    holding('failure_spike', { domain, parts: [domain, day], message: eventTexts.unusual({ messages, day, base }) }),
  ];
}

function volumeSpike({ domain, days }: DayFacts, { day, messages }: DayFigures): Judgement[] {
  const base = baseOf(days, day, (other) => other.messages);
  if (base === undefined || messages < SPIKE.volume || messages < SPIKE.times * base) return [];
  return [
    holding('volume_spike', { domain, parts: [domain, day], message: eventTexts.unusual({ messages, day, base }) }),
  ];
}
