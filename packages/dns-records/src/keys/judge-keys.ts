import { addDays, daysBetween, type Day, type DkimKeyKind } from '@dmarc-ledger/vocabulary';
import { haveOneStem } from './handover.ts';
import { keyTexts } from './key-texts.ts';

/** What is found about keys, what matters most first. */
export const keyFindingCodes = [
  'used_but_gone',
  'weak_key',
  'test_mode',
  'rotation_due',
  'published_unused',
  'rotation_seen',
] as const;
export type KeyFindingCode = (typeof keyFindingCodes)[number];

export interface KeyFinding {
  code: KeyFindingCode;
  /** A sentence or two, ready to show. */
  text: string;
}

/** The use of a selector in reports, and what is published for it. */
export interface KeyFacts {
  domain: string;
  selector: string;
  /** The first and the last day of an aligned pass. */
  firstDay: Day;
  lastDay: Day;
  /** Messages of the domain's own senders in the last 7 days that carry it and did not pass. */
  failingMessages: number;
  /** The services that the newest reports show with it. */
  services: readonly string[];
  /** Undefined: no check has asked for it. */
  published: PublishedFacts | undefined;
  /** True if its key is gone after another one took over. (rules, dkim-keys/correct-rotation) */
  isHandedOver: boolean;
}

interface PublishedFacts {
  kind: DkimKeyKind;
  bits: number | null;
  isTesting: boolean;
  /** The day since when a check sees what is published now. */
  since: Day;
  isReplaced: boolean;
}

export interface JudgedKey {
  state: KeyState;
  /** The least age of the key in days; null where none is published. */
  ageDays: number | null;
  findings: KeyFinding[];
}

/** `active`: mail of the last 7 days passed by it; `idle`: of the last 30; `unused`: none since. */
export const keyStates = ['active', 'idle', 'unused'] as const;
type KeyState = (typeof keyStates)[number];

const ACTIVE_DAYS = 7;
const IDLE_DAYS = 30;
/** (M3AAWG DKIM Key Rotation Best Common Practices) */
const ROTATION_DAYS = 180;
const WEAK_BELOW = 2_048;

/** The mail of a domain in the last 30 days. */
export interface RecentMail {
  messages: number;
  /** Days with reports. */
  reportDays: number;
}

/** From less mail, or on fewer days with reports, it does not follow that a key is not used any more. */
const LEAST_MAIL: RecentMail = { messages: 100, reportDays: 14 };

/** Judges the keys of a domain, in the order of the facts. (rules, dkim-keys/findings) */
export function judgeKeys(keys: readonly KeyFacts[], { messages, reportDays }: RecentMail, today: Day): JudgedKey[] {
  const isSeen = messages >= LEAST_MAIL.messages && reportDays >= LEAST_MAIL.reportDays;
  return keys.map((key) => {
    const state = stateOf(key, today);
    const ageDays = ageOf(key, today);
    const unused = isSeen ? judgeUnused(key, state, today) : [];
    const isToGo = unused.length > 0 && !isOfService(key); // what is to be removed needs no repair
    const findings = [
      ...(isToGo ? [] : judgePublished(key, state)),
      ...unused,
      ...judgeAge(key, state, ageDays),
      ...rotationsTo(key, keys, today),
    ];
    const order = (finding: KeyFinding) => keyFindingCodes.indexOf(finding.code);
    return { state, ageDays, findings: findings.toSorted((a, b) => order(a) - order(b)) };
  });
}

function stateOf({ lastDay }: KeyFacts, today: Day): KeyState {
  if (lastDay > addDays(today, -ACTIVE_DAYS)) return 'active';
  return lastDay > addDays(today, -IDLE_DAYS) ? 'idle' : 'unused';
}

/** Only the service can replace its keys, and it may sign with any of them again. */
function isOfService({ services }: KeyFacts): boolean {
  return services.length > 0;
}

function isUsable(published: PublishedFacts | undefined): published is PublishedFacts {
  return published?.kind === 'rsa' || published?.kind === 'ed25519';
}

/** A key that was seen to replace another one is as old as that; any other one at least as old as its first pass. */
function ageOf({ published, firstDay }: KeyFacts, today: Day): number | null {
  if (!isUsable(published)) return null;
  const { since, isReplaced } = published;
  const from = isReplaced || since < firstDay ? since : firstDay;
  return Math.max(0, daysBetween(from, today));
}

function judgePublished(key: KeyFacts, state: KeyState): KeyFinding[] {
  const { published, selector, failingMessages, isHandedOver } = key;
  if (!published || published.kind === 'unconfirmed') return [];
  const found: KeyFinding[] = [];
  const { kind, bits, isTesting } = published;
  if (kind !== 'rsa' && kind !== 'ed25519') {
    if ((state === 'active' || failingMessages > 0) && !isHandedOver)
      found.push({ code: 'used_but_gone', text: keyTexts.usedButGone({ selector, kind }) });
    return found;
  }
  const weak = isOfService(key) ? keyTexts.weakKeyOfService : keyTexts.weakKey;
  if (bits !== null && bits < WEAK_BELOW) found.push({ code: 'weak_key', text: weak({ selector, bits }) });
  if (isTesting) found.push({ code: 'test_mode', text: keyTexts.testMode({ selector }) });
  return found;
}

function judgeUnused(key: KeyFacts, state: KeyState, today: Day): KeyFinding[] {
  const { published, selector, lastDay } = key;
  if (state !== 'unused' || !isUsable(published)) return [];
  const said = { selector, days: daysBetween(lastDay, today) };
  const text = isOfService(key) ? keyTexts.unusedByService(said) : keyTexts.publishedUnused(said);
  return [{ code: 'published_unused', text }];
}

function judgeAge(key: KeyFacts, state: KeyState, ageDays: number | null): KeyFinding[] {
  if (state !== 'active' || ageDays === null || ageDays <= ROTATION_DAYS) return [];
  const due = isOfService(key) ? keyTexts.rotationDueByService : keyTexts.rotationDue;
  return [{ code: 'rotation_due', text: due({ selector: key.selector, days: ageDays, most: ROTATION_DAYS }) }];
}

/** The keys that this one took over from, while both were in use. (rules, dkim-keys/rotation) */
function rotationsTo(key: KeyFacts, keys: readonly KeyFacts[], today: Day): KeyFinding[] {
  const old = keys.filter((other) => isSuccessor(key, other)).toSorted((a, b) => (a.firstDay < b.firstDay ? 1 : -1))[0];
  if (!old) return [];
  const isIdle = old.lastDay <= addDays(today, -ACTIVE_DAYS) && old.lastDay < key.lastDay;
  const isFinished = isIdle || old.isHandedOver;
  const { firstDay: from } = key;
  const said = { old: old.selector, selector: key.selector, from, to: old.lastDay };
  return [{ code: 'rotation_seen', text: isFinished ? keyTexts.rotated(said) : keyTexts.rotating(said) }];
}

function isSuccessor(key: KeyFacts, old: KeyFacts): boolean {
  if (key.domain !== old.domain || key.selector === old.selector) return false;
  if (key.firstDay <= old.firstDay || key.firstDay > old.lastDay) return false;
  return haveOneStem(key.selector, old.selector) || key.services.some((one) => old.services.includes(one));
}
