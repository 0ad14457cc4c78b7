import { actionItemSeverities, codesOf, counted, groupedDigits, rate } from '@dmarc-ledger/vocabulary';
import type { DigestFacts, DomainFigures, MailSums, OpenItem } from './digest-facts.ts';

/** A digest, ready to be written as text or HTML: every string is a sentence or a name. */
export interface Digest {
  subject: string;
  /** What the period was like, in one sentence. */
  opening: string;
  figures: { label: string; value: string; change: string }[];
  sections: DigestSection[];
}

export interface DigestSection {
  heading: string;
  rows: { title: string; detail: string; tone: 'critical' | 'warning' | 'good' | 'neutral' }[];
  /** What is not shown, as a sentence; empty when all is. */
  more: string;
}

const FIRST_ITEMS = 5;
const MOVED = 5;
const URGENCY: readonly string[] = codesOf(actionItemSeverities);
const READY = 'policy_upgrade_ready';
/** A change of the pass rate that is worth a line, in points, and the least mail for it. */
const WORTH = { points: 2, messages: 50 };
const tones = { high: 'critical', medium: 'warning', low: 'neutral' } as const;
const eventTones = { critical: 'critical', warning: 'warning', info: 'neutral' } as const;

/** Makes a digest of what is known. A period in which nothing happened makes one too. (rules, digests/content) */
export function digestOf(facts: DigestFacts): Digest {
  const { organization, from, to, reports } = facts;
  const now = sumOf(facts.domains.map((domain) => domain.now));
  const before = sumOf(facts.domains.map((domain) => domain.before));
  const period = from === to ? `on ${to}` : `from ${from} to ${to}`;
  const sections = [happened(facts), toDo(facts), ready(facts), moved(facts)].filter(({ rows }) => rows.length > 0);
  const isQuiet = (facts.events?.total ?? 0) === 0 && moved(facts).rows.length === 0;
  const isUrgent = facts.items.some(({ severity }) => severity === 'high');
  const quiet = from === to ? 'a quiet day' : 'a quiet week';
  const mood = reports === 0 ? 'no reports' : isQuiet && !isUrgent ? quiet : headline(facts);
  return {
    subject: `DMARC of ${organization}: ${mood}`,
    opening: openingOf({ reports, period, isQuiet, isUrgent, now }),
    figures: [
      { label: 'Messages', value: groupedDigits(now.messages), change: countChange(before) },
      { label: 'Passed DMARC', value: percentOf(now), change: rateChange(now, before) },
      { label: 'Reports', value: groupedDigits(reports), change: '' },
    ],
    sections,
  };
}

/** What a period that is not quiet is about: without events it has domains whose pass rate changed. */
function headline({ events, items, domains }: DigestFacts): string {
  const { critical = 0, total = 0 } = events ?? {};
  if (critical > 0) return counted(critical, 'critical event');
  const urgent = items.filter(({ severity }) => severity === 'high').length;
  if (urgent > 0) return counted(urgent, 'urgent item');
  if (total > 0) return counted(total, 'event');
  return `the pass rate of ${counted(movedDomains(domains).length, 'domain')} changed`;
}

function openingOf({
  reports,
  period,
  isQuiet,
  isUrgent,
  now,
}: {
  reports: number;
  period: string;
  isQuiet: boolean;
  /** True if an urgent item is open. */
  isUrgent: boolean;
  now: MailSums;
}): string {
  if (reports === 0)
    return `No report about mail ${period} has arrived. Receivers send reports daily, so check that the mailbox is read.`;
  const said = `${counted(reports, 'report')} about mail ${period}: ${counted(now.messages, 'message')}.`;
  if (!isQuiet) return said;
  return `${said} ${
    isUrgent
      ? 'Nothing new happened; what is still to be done stands below.'
      : 'Nothing happened that you need to know.'
  }`;
}

function happened({ events }: DigestFacts): DigestSection {
  const { first = [], total = 0 } = events ?? {};
  const rows = first.map(({ severity, title, domain, at }) => ({
    title,
    detail: [severity, domain, at.toISOString().slice(0, 10)].filter(Boolean).join(', '),
    tone: eventTones[severity],
  }));
  return { heading: 'What happened', rows, more: moreOf(total - rows.length, 'event') };
}

/** The most urgent items first; of equal ones those of the domains with most mail, in the order of a domain. */
function toDo({ items, domains }: DigestFacts): DigestSection {
  const messages = new Map(domains.map(({ domain, now }) => [domain, now.messages]));
  const mailOf = ({ domain }: OpenItem) => messages.get(domain) ?? 0;
  const open = items
    .filter(({ type }) => type !== READY)
    .toSorted((a, b) => URGENCY.indexOf(a.severity) - URGENCY.indexOf(b.severity) || mailOf(b) - mailOf(a));
  const groups = [...Map.groupBy(open, keyOf).values()];
  const first = groups.slice(0, FIRST_ITEMS);
  const rows = first.map(([item, ...same]) => {
    const { domain, severity, title, action } = item!;
    const times = same.length > 0 ? ` (${same.length + 1} times)` : '';
    return { title: `${titleOf(title, domain)}${times}`, detail: action, tone: tones[severity] };
  });
  return { heading: 'What to do first', rows, more: moreOf(open.length - first.flat().length, 'open item') };
}

/** Equal for items that a reader cannot tell apart, such as a drop on each of three days. */
function keyOf({ domain, severity, title, action }: OpenItem): string {
  return JSON.stringify([domain, severity, title, action]);
}

/** A title with the domain that it is about; titles of events name it already. */
function titleOf(title: string, domain: string): string {
  return domain === '' || title.endsWith(` ${domain}`) ? title : `${title}: ${domain}`;
}

function ready({ items }: DigestFacts): DigestSection {
  const rows = items
    .filter(({ type }) => type === READY)
    .map(({ domain, title, action }) => ({ title: titleOf(title, domain), detail: action, tone: 'good' as const }));
  return {
    heading: 'Ready for a stricter policy',
    rows: rows.slice(0, FIRST_ITEMS),
    more: moreOf(rows.length - FIRST_ITEMS, 'domain'),
  };
}

/** The domains whose pass rate moved most. */
function moved({ domains }: DigestFacts): DigestSection {
  const found = movedDomains(domains).toSorted(
    (a, b) => Math.abs(movedBy(b)) - Math.abs(movedBy(a)) || a.domain.localeCompare(b.domain),
  );
  const rows = found.slice(0, MOVED).map((domain) => ({
    title: domain.domain,
    detail: `${percentOf(domain.now)} passed, ${percentOf(domain.before)} before.`,
    tone: movedBy(domain) > 0 ? ('good' as const) : ('warning' as const),
  }));
  return { heading: 'What changed', rows, more: moreOf(found.length - rows.length, 'domain') };
}

function movedDomains(domains: readonly DomainFigures[]): DomainFigures[] {
  return domains.filter((domain) => {
    const { now, before } = domain;
    return Math.min(now.messages, before.messages) >= WORTH.messages && Math.abs(movedBy(domain)) >= WORTH.points;
  });
}

/** In percentage points. */
function movedBy({ now, before }: DomainFigures): number {
  return rateOf(now) - rateOf(before);
}

function moreOf(count: number, noun: string): string {
  return count > 0 ? `And ${groupedDigits(count)} more ${count === 1 ? noun : `${noun}s`}.` : '';
}

function sumOf(sums: readonly MailSums[]): MailSums {
  return sums.reduce(
    (all, { messages, compliant }) => ({ messages: all.messages + messages, compliant: all.compliant + compliant }),
    { messages: 0, compliant: 0 },
  );
}

function rateOf({ messages, compliant }: MailSums): number {
  return rate(compliant, messages);
}

function percentOf(sums: MailSums): string {
  return sums.messages === 0 ? 'no mail' : `${rateOf(sums)} %`;
}

function countChange({ messages }: MailSums): string {
  return messages === 0 ? '' : `${groupedDigits(messages)} before`;
}

function rateChange(now: MailSums, before: MailSums): string {
  return before.messages === 0 || now.messages === 0 ? '' : `${percentOf(before)} before`;
}
