import type { Db } from '@dmarc-ledger/schema';
import { sql } from 'kysely';

/** The instant before which received data is deleted; null: that kind is kept. */
export interface Cutoffs {
  /** Reports, deliveries, events and changes of domains. */
  facts: Date | null;
  /** The bytes of ended deliveries. */
  raw: Date | null;
  failureReports: Date | null;
  /** Conditions of ended events. */
  conditions: Date | null;
  usage: Date | null;
}

/** For how many days each kind is kept; null: for ever. */
export interface Retention {
  days: number | null;
  rawDays: number | null;
  failureReportDays: number | null;
}

/** The days of usage that the API returns. */
const USAGE_DAYS = 90;
/** The longest time after which a condition may be raised again. */
const REARM_DAYS = 90;

/** Returns the retention as instants. Nothing is kept longer than the deliveries that brought it. */
export async function cutoffsOf(db: Db, { days, rawDays, failureReportDays }: Retention): Promise<Cutoffs> {
  const { rows } = await sql<{ now: Date }>`select ledger_now() as now`.execute(db);
  const before = (age: number | null) => (age === null ? null : new Date(rows[0]!.now.getTime() - age * 86_400_000));
  const shorter = (age: number | null) => (age === null || days === null ? (age ?? days) : Math.min(age, days));
  const atLeast = (least: number) => before(days === null ? null : Math.max(days, least));
  return {
    facts: before(days),
    raw: before(shorter(rawDays)),
    failureReports: before(shorter(failureReportDays)),
    conditions: atLeast(REARM_DAYS),
    usage: atLeast(USAGE_DAYS),
  };
}
