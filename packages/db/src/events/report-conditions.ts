import { addDays, dayOf, type Day } from '@dmarc-ledger/vocabulary';
import type { OtherCopy } from '../write/other-facts.ts';
import type { ToldCondition } from './tell-events.ts';

/** Reports of days longer ago tell of what is over. */
const LATEST_DAYS = 3;
const FEWEST_FAILURES = 10;
const FAILING_PART = 0.02;

/** What reports that were just stored give cause to tell. (domain-rules, 5.2) */
export function conditionsOf(copies: readonly OtherCopy[], now: Date): ToldCondition[] {
  const today = dayOf(Math.floor(now.getTime() / 1_000));
  return copies.flatMap((copy) => {
    if (copy.kind === 'tlsrpt') return tlsConditions(copy.report, today);
    if (copy.kind === 'ruf' && copy.report.reportedDomain !== null)
      return [{ type: 'forensic_report_received' as const, name: copy.report.reportedDomain, part: today }];
    return [];
  });
}

function tlsConditions(
  { begin, end, policies }: Extract<OtherCopy, { kind: 'tlsrpt' }>['report'],
  today: Day,
): ToldCondition[] {
  const at = begin ?? end;
  if (at !== null && dayOf(at) < addDays(today, -LATEST_DAYS)) return [];
  return policies.flatMap(({ domain, successes, failures }) => {
    const failed = failures ?? 0;
    const isMany = failed >= FEWEST_FAILURES && failed > FAILING_PART * (failed + (successes ?? 0));
    return domain !== null && isMany ? [{ type: 'tls_failures' as const, name: domain, part: domain }] : [];
  });
}
