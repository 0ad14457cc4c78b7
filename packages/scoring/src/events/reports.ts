import { dayOf, addDays, type Day } from '@dmarc-ledger/vocabulary';
import { eventTexts } from './event-texts.ts';
import { holding, over, type Judgement } from './judgement.ts';

const HOUR_MS = 3_600_000;
/**
 * A domain is silent after this long without a report, if enough of the fourteen days before the newest had reports.
 */
export const SILENCE_MS = 96 * HOUR_MS;
const FEWEST_DAYS = 3;
const NAME = { messages: 10, newDays: 7, judgedDays: 3 };

export interface ArrivalFacts {
  domain: string;
  now: Date;
  /** True if the domain was discovered in reports rather than added. */
  isDiscovered: boolean;
  /** When the last report about a recent day arrived; null if none has. */
  reportedAt: Date | null;
  /** The sender of the first report; undefined if there is none, or if it was reported. */
  firstReporter: string | undefined;
  /** Days with reports among the fourteen before the newest report day. */
  daysBefore: number;
  /** The open event about the silence. */
  stop: { eventId: string; raisedAt: Date } | undefined;
  /** True if a report that may not be forged has arrived since that event. */
  hasResumed: boolean;
}

/** Judges the arrival of reports. (rules, events/reports-that-stop) */
export function judgeArrival(facts: ArrivalFacts): Judgement[] {
  const { domain, isDiscovered, firstReporter } = facts;
  if (firstReporter === undefined) return judgeSilence(facts);
  const message = eventTexts.firstReport({ reporter: firstReporter, domain });
  const first = holding('first_report_received', { domain, message });
  return [first, ...(isDiscovered ? [discovered(domain)] : []), ...judgeSilence(facts)];
}

export function discovered(domain: string): Judgement {
  return holding('domain_discovered', { domain, name: domain, message: eventTexts.discovered({ domain }) });
}

function judgeSilence({ domain, now, reportedAt, daysBefore, stop, hasResumed }: ArrivalFacts): Judgement[] {
  if (reportedAt === null) return [];
  if (now.getTime() - reportedAt.getTime() >= SILENCE_MS) {
    if (daysBefore < FEWEST_DAYS) return [];
    const since = dayOf(Math.floor(reportedAt.getTime() / 1_000));
    const message = eventTexts.stopped({ domain, day: since });
    return [holding('reports_stopped', { domain, protocol: 'dmarc', message })];
  }
  if (!stop || !hasResumed) return [];
  return [over('reports_stopped', domain), holding('reports_resumed', { domain, parts: [domain, stop.eventId] })];
}

/** A subdomain that mail was sent from, or a key that mail was signed with. */
export interface SeenName {
  parts: readonly string[];
  firstDay: Day;
  /** Its newest day, or the recent day with the most messages. */
  day: Day;
  messages: number;
}

/**
 * Judges names seen for the first time. A name first seen more than a week ago, or not seen recently, is not new.
 * (rules, events/new-names)
 */
export function judgeNames(
  type: 'subdomain_discovered' | 'dkim_selector_new',
  domain: string,
  seen: readonly SeenName[],
  { today, knownUntil }: { today: Day; knownUntil: Day },
): Judgement[] {
  return seen.flatMap(({ parts, firstDay, day, messages }) => {
    const isNew = firstDay > addDays(today, -NAME.newDays) && firstDay <= today && !(firstDay <= knownUntil);
    const isJudged = day >= addDays(today, -NAME.judgedDays) && day <= today;
    if (!isNew || !isJudged || messages < NAME.messages) return [];
    return [type === 'subdomain_discovered' ? newSubdomain(domain, parts, messages) : newSelector(domain, parts)];
  });
}

function newSubdomain(domain: string, parts: readonly string[], messages: number): Judgement {
  const [name = domain] = parts;
  return holding('subdomain_discovered', {
    domain,
    parts,
    name,
    message: eventTexts.subdomain({ name, messages, domain }),
  });
}

function newSelector(domain: string, parts: readonly string[]): Judgement {
  const [signer = domain, selector = ''] = parts;
  const message = eventTexts.selector({ signer, selector });
  return holding('dkim_selector_new', { domain, parts: [domain, ...parts], protocol: 'dkim', message });
}
