import { bulkSenderTexts } from './bulk-sender-texts.ts';
import { bulkRequirements, type BulkRequirement } from './requirements.ts';

export const bulkStates = ['met', 'not_met', 'unknown', 'cannot_be_seen'] as const;
export type BulkState = (typeof bulkStates)[number];

/** The newest check of what a domain publishes; undefined where it was not checked in the last week. */
interface CheckFacts {
  status: 'ok' | 'warning' | 'error' | 'unknown';
  hasRecord: boolean;
  /** True if several records are published where one may stand. */
  isSeveral: boolean;
  /** A sentence. */
  details: string;
}

/** What is known of a domain and of the mail of its own senders. */
export interface BulkSenderFacts {
  domain: string;
  days: number;
  spf: CheckFacts | undefined;
  dmarc: CheckFacts | undefined;
  /** The policy that applies, by a check or by the newest report; null if none is known. */
  policy: string | null;
  /** The bits of each RSA key of a selector that reports name. */
  keyBits: readonly number[];
  /** Messages of own senders, without those that were likely forwarded. */
  mail: { messages: number; passed: number; spf: number; dkim: number };
  /** Addresses of own senders by what reverse DNS says; `unknown`: not looked up, or not clear. */
  pointers: { confirmed: number; wrong: number; missing: number; unknown: number };
}

export interface BulkItem {
  requirement: BulkRequirement;
  state: BulkState;
  /** What it rests on, with figures. */
  evidence: string;
  /** What to change; null where nothing is to be changed, or nothing is known. */
  change: string | null;
}

/** The share of own mail that has to pass: what a policy of reject asks for as well. */
const ENOUGH = { of: 100, passing: 99 };
const BITS = { least: 1_024, advised: 2_048 };

/** Judges each requirement by what is known. (rules, bulk-sender-rules/states) */
export function judgeBulkSender(facts: BulkSenderFacts): BulkItem[] {
  return bulkRequirements.map((requirement) => ({ requirement, ...judges[requirement](facts) }));
}

type Judged = Omit<BulkItem, 'requirement'>;
const { evidence: said, change } = bulkSenderTexts;

const judges: { readonly [requirement in BulkRequirement]: (facts: BulkSenderFacts) => Judged } = {
  spf: ({ domain, days, spf, mail }) => {
    if (!spf) return unknown(said.unchecked({ record: 'SPF', domain }));
    if (spf.status === 'unknown') return unknown(spf.details);
    if (spf.status === 'error' || !spf.hasRecord) return notMet(spf.details, change.spf({ domain }));
    if (mail.messages === 0) return unknown(said.noMail({ days }));
    const evidence = said.spf({ ...mail, days, record: spf.details });
    return mail.spf > 0 ? met(evidence) : { ...unknown(evidence), change: change.returnPath({ domain }) };
  },
  dkim: ({ domain, days, mail }) => {
    if (mail.messages === 0) return unknown(said.noMail({ days }));
    const evidence = said.dkim({ ...mail, days });
    // a signature of another domain meets it too, and reports are summed up by aligned ones alone
    return isEnough(mail.dkim, mail.messages)
      ? met(evidence)
      : { ...unknown(evidence), change: change.dkim({ domain }) };
  },
  dkim_key: ({ keyBits }) => {
    if (keyBits.length === 0) return unknown(said.noKeys());
    const shortest = Math.min(...keyBits);
    const evidence = said.keys({ keys: keyBits.length, shortest });
    if (shortest < BITS.least) return notMet(evidence, change.key());
    return { ...met(evidence), change: shortest < BITS.advised ? change.longerKey() : null };
  },
  dmarc_record: ({ domain, dmarc, policy }) => {
    if (dmarc?.status === 'error') return notMet(dmarc.details, changeOfRecord(dmarc)({ domain }));
    if (policy !== null) return met(said.policy({ policy }));
    return unknown(dmarc?.status === 'unknown' ? dmarc.details : said.unchecked({ record: 'DMARC', domain }));
  },
  alignment: ({ days, mail }) => {
    if (mail.messages === 0) return unknown(said.noMail({ days }));
    const evidence = said.aligned({ ...mail, days });
    return isEnough(mail.passed, mail.messages) ? met(evidence) : notMet(evidence, change.align());
  },
  ptr: ({ days, pointers }) => {
    const { confirmed, wrong, missing, unknown: open } = pointers;
    if (confirmed + wrong + missing + open === 0) return unknown(said.noMail({ days }));
    const evidence = said.pointers(pointers);
    if (wrong + missing > 0) return notMet(evidence, change.pointer());
    return open > 0 ? unknown(evidence) : met(evidence);
  },
  tls: () => unseen(said.tls()),
  spam_rate: () => unseen(said.spamRate()),
  unsubscribe: () => unseen(said.unsubscribe()),
  format: () => unseen(said.format()),
  addresses: () => unseen(said.addresses()),
};

/** One more record beside one that stands would make both useless. (RFC 9989, 4.10) */
function changeOfRecord({ hasRecord, isSeveral }: CheckFacts) {
  if (!hasRecord) return change.noRecord;
  return isSeveral ? change.severalRecords : change.brokenRecord;
}

function isEnough(passing: number, all: number): boolean {
  return passing * ENOUGH.of >= all * ENOUGH.passing;
}

function met(evidence: string): Judged {
  return { state: 'met', evidence, change: null };
}

function notMet(evidence: string, toChange: string): Judged {
  return { state: 'not_met', evidence, change: toChange };
}

function unknown(evidence: string): Judged {
  return { state: 'unknown', evidence, change: null };
}

function unseen(evidence: string): Judged {
  return { state: 'cannot_be_seen', evidence, change: null };
}
