import type { SenderDecision } from '@dmarc-ledger/vocabulary';
import { eventTexts } from './event-texts.ts';
import { type Holding, holding, over, type Judgement } from './judgement.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const NEW = { days: 7, passing: 20, failing: 50 };
/** An own sender breaks when this many messages of a week fail, and half of its mail. */
const BROKEN = { failing: 50, share: 2 };
const SUSPICIOUS = 20;
const LISTED = { messages: 50, apartMs: 6 * HOUR_MS };
/** How long a judgement waits for lookups. */
const LOOKUP_MS = HOUR_MS;

export type ListedSeverity = 'critical' | 'warning';

/** The facts about a source for one domain. */
export interface SourceFacts {
  domain: string;
  ip: string;
  now: Date;
  /** With mail whose forwarding is only inferred as mail to review. */
  class: 'authenticated' | 'likely_forwarded' | 'suspicious' | 'needs_review';
  /** Begin of the first report that mentions the source; null if unknown. */
  firstSeen: Date | null;
  /** All messages it ever sent as the domain. */
  messages: number;
  /** Failing messages in total, without those whose forwarding is proved. */
  failing: number;
  /** Failing messages of the last 7 days, without those whose forwarding is proved. */
  failingOfLate: number;
  /** All messages of the last 7 days, without those. */
  messagesOfWeek: number;
  /** Messages of the last 30 days. */
  messagesOfLate: number;
  /** The recognised service; `isKnown` if other sources of it have sent for the domain before. */
  service: { slug: string; name: string; isKnown: boolean } | undefined;
  /** What people have decided about its sender. */
  decided: { sender: string; decision: SenderDecision } | undefined;
  /** True if it was first seen on a day with an open `spoofing_campaign`, which stands for all its sources. */
  isOfCampaign: boolean;
  /** True while the event about its sender, or `malicious_source`, is open, which stands for the lesser one. */
  stoodFor: { bySender: boolean; byMalicious: boolean };
  /** True for flag H1, or a listing of tier 4. */
  isMalicious: boolean;
  reason: string | undefined;
  /** When the source became due, and whether its lookups are done. */
  since: Date;
  isLookedUp: boolean;
  listing: {
    /** The severity in the last blocklist lookup; undefined if there was none. */
    severity: string | undefined;
    at: Date | null;
    topList: string | undefined;
    /** True if the severity rests on listings of an earlier check, whose lists have not answered since. */
    isUnconfirmed: boolean;
    /** True if nothing is listed: the verdict is clean, or only suspended lists keep it from being that. */
    isOver: boolean;
    /** The severity that the previous judgement saw, and the time of that lookup. */
    before: { severity: ListedSeverity; at: Date } | undefined;
    /** The severities of open events. */
    open: readonly ListedSeverity[];
  };
}

/** Returns the judgements about a source, and the state to remember for a second lookup. (rules, events/sources) */
export function judgeSource(facts: SourceFacts): {
  judgements: Judgement[];
  listed: { severity: ListedSeverity; at: Date } | undefined;
  lookAt: Date | undefined;
} {
  const { now, since, isLookedUp } = facts;
  const { judgements, listed } = judgeListing(facts);
  const waitsUntil = new Date(since.getTime() + LOOKUP_MS);
  // the sender decides the key of the event, so wait for the lookups
  if (!isLookedUp && now < waitsUntil) return { judgements, listed, lookAt: waitsUntil };
  const confirmAt = listed && new Date(Math.max(listed.at.getTime() + LISTED.apartMs, now.getTime() + HOUR_MS));
  return { judgements: [...judgements, ...judgeMail(facts)], listed, lookAt: confirmAt };
}

/** What people have decided about the sender decides which of its mail is a task. (rules, events/decided-senders) */
function judgeMail(facts: SourceFacts): Judgement[] {
  const { decided, domain, ip, service } = facts;
  const found = judgeNew(facts);
  const name = service?.slug ?? ip;
  const good = found.filter(({ type }) => type !== 'new_failing_source');
  if (decided?.decision === 'not_ours')
    return [
      ...good,
      over('new_failing_source', domain, name),
      over('suspicious_source', domain, ip),
      over('malicious_source', domain, ip),
    ];
  if (decided?.decision === 'forwarder')
    return [...good, over('new_failing_source', domain, name), ...judgeDanger(facts)];
  const own = decided?.decision === 'ours' ? judgeOwn(facts, decided.sender) : [];
  // the event about the sender takes the place of the one about its address
  const isReplaced = decided?.decision === 'ours' && decided.sender !== name;
  if (own.length === 0) return [...(isReplaced && facts.stoodFor.bySender ? good : found), ...judgeDanger(facts)];
  const replaced = isReplaced ? [over('new_failing_source', domain, ip)] : [];
  return [...good, ...replaced, ...own, ...judgeDanger(facts)];
}

/** A known own sender that breaks is critical, however long it has been known. */
function judgeOwn(facts: SourceFacts, sender: string): Judgement[] {
  const { domain, ip, service, failingOfLate, messagesOfWeek } = facts;
  if (failingOfLate < BROKEN.failing || failingOfLate * BROKEN.share < messagesOfWeek) return [];
  const name = service?.name ?? sender;
  const message = eventTexts.ownFailing({ sender: name, messages: failingOfLate, domain });
  const title = `Own sender fails: ${name}`;
  const about = { domain, ip, parts: [domain, sender], severity: 'critical', title, message } as const;
  return [holding('new_failing_source', about)];
}

function judgeNew(facts: SourceFacts): Holding[] {
  const { domain, ip, now, firstSeen, service, messages, failing } = facts;
  const age = firstSeen === null ? undefined : now.getTime() - firstSeen.getTime();
  if (age === undefined || age < 0 || age > NEW.days * DAY_MS) return [];
  const parts = [domain, service?.slug ?? ip];
  const name = service?.name ?? ip;
  if (facts.class === 'authenticated' && messages >= NEW.passing && !service?.isKnown)
    return [holding('new_source', { domain, ip, parts, message: eventTexts.newSource({ sender: name, domain }) })];
  if (facts.class === 'needs_review' && failing >= NEW.failing && !(facts.isOfCampaign && !service)) {
    const message = eventTexts.newFailing({ sender: name, messages: failing, domain });
    return [holding('new_failing_source', { domain, ip, parts, message })];
  }
  return [];
}

function judgeDanger(facts: SourceFacts): Judgement[] {
  const { class: named, domain, ip, failingOfLate, isMalicious, reason, stoodFor } = facts;
  if (named !== 'suspicious' || failingOfLate === 0) return [];
  const message = eventTexts.dangerous({ ip, messages: failingOfLate, domain, reputation: reason });
  const about = { domain, ip, parts: [domain, ip], message };
  if (isMalicious) return [holding('malicious_source', about), over('suspicious_source', domain, ip)];
  return failingOfLate >= SUSPICIOUS && !stoodFor.byMalicious ? [holding('suspicious_source', about)] : [];
}

/** A forwarder passes signed mail on: its listing is not the domain's to end. */
function judgeListing({ domain, ip, class: named, messagesOfLate, listing, now, decided }: SourceFacts): {
  judgements: Judgement[];
  listed: { severity: ListedSeverity; at: Date } | undefined;
} {
  const { severity, at, topList, isUnconfirmed, isOver, before, open } = listing;
  const ended = open.map((one) => over('source_blocklisted', domain, ip, one));
  if (decided && decided.decision !== 'ours') return { judgements: ended, listed: undefined };
  if (isOver) {
    const delisted = holding('source_delisted', { domain, ip, parts: [domain, ip], occurrence: now.toISOString() });
    return { judgements: open.length > 0 ? [...ended, delisted] : [], listed: undefined };
  }
  if (severity !== 'critical' && severity !== 'warning') return { judgements: [], listed: undefined };
  if (isUnconfirmed) return { judgements: [], listed: before };
  if (named !== 'authenticated' || messagesOfLate < LISTED.messages || at === null || open.includes(severity))
    return { judgements: [], listed: undefined };
  const first: { severity: ListedSeverity; at: Date } = before?.severity === severity ? before : { severity, at };
  if (at.getTime() - first.at.getTime() < LISTED.apartMs) return { judgements: [], listed: first };
  const message = eventTexts.listed({ ip, domain, list: topList });
  return {
    judgements: [holding('source_blocklisted', { domain, ip, parts: [domain, ip, severity], severity, message })],
    listed: undefined,
  };
}
