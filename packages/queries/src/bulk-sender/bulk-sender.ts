import { findChecks, findReportedPolicy, lastAnswer, type StoredCheck } from '@dmarc-ledger/facts';
import { judgeBulkSender, type BulkItem, type BulkSenderFacts } from '@dmarc-ledger/scoring';
import type { Db } from '@dmarc-ledger/schema';
import { addDays, type Day, fieldsOf } from '@dmarc-ledger/vocabulary';
import { publishedByCheck, publishedByReport } from '../enforcement/published.ts';
import { type BusiestDay, findBusiestDays } from './busiest-days.ts';
import { findOwnMail, type OwnMail } from './own-mail.ts';

/** How a domain stands with the rules for bulk senders. */
export interface BulkSender {
  days: number;
  from: Day;
  to: Day;
  /** Of own senders. */
  mail: OwnMail['mail'];
  items: BulkItem[];
  busiest: BusiestDay[];
}

/** The mail that is judged. */
const DAYS = 30;
const KNOWN = ['ok', 'warning', 'error'] as const;

/** Judges a domain by stored checks and by its mail. (rules, bulk-sender-rules/states) */
export async function findBulkSender(
  db: Db,
  orgId: string,
  { domain, domainId, today, now }: { domain: string; domainId: string; today: Day; now: Date },
): Promise<BulkSender> {
  const range = { orgId, domainId, from: addDays(today, 1 - DAYS), to: today };
  const [checks, reported, own, busiest] = await Promise.all([
    findChecks(db, orgId, domainId),
    findReportedPolicy(db, orgId, domainId, today),
    findOwnMail(db, range),
    findBusiestDays(db, range),
  ]);
  const checkOf = (subject: string) =>
    lastAnswer(
      checks.find((check) => check.subject === subject),
      now,
    );
  const dmarc = checkOf('dmarc');
  const isMissing = dmarc?.status === 'error' && !dmarc.has_record;
  const published = publishedByCheck(dmarc, now) ?? publishedByReport(isMissing ? undefined : reported);
  const items = judgeBulkSender({
    domain,
    days: DAYS,
    spf: factsOf(checkOf('spf')),
    dmarc: factsOf(dmarc),
    policy: published.policy.p,
    keyBits: keyBitsOf(checkOf('dkim')),
    ...own,
  });
  return { days: DAYS, from: range.from, to: range.to, mail: own.mail, items, busiest };
}

function factsOf(check: StoredCheck | undefined): BulkSenderFacts['spf'] {
  if (!check) return undefined;
  const status = KNOWN.find((each) => each === check.status) ?? ('unknown' as const);
  return { status, hasRecord: check.has_record, isSeveral: check.records.length > 1, details: check.details };
}

/** The sizes of the RSA keys that a check has read. */
function keyBitsOf(check: StoredCheck | undefined): number[] {
  if (!check || !Array.isArray(check.facts)) return [];
  return check.facts.flatMap((fact: unknown) => {
    const { kind, bits } = fieldsOf(fact);
    return kind === 'rsa' && typeof bits === 'number' ? bits : [];
  });
}
