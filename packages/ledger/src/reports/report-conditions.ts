import type { AprfFacts, TlsFacts } from '@dmarc-ledger/schema';
import { isFailingTls, spamRate } from '@dmarc-ledger/scoring';
import { dayOf } from '@dmarc-ledger/vocabulary';
import type { ToldCondition } from '../events/told-condition.ts';
import type { OtherCopy } from './other-copy.ts';

/** What reports that were just stored give cause to tell. (rules, events/conditions-and-events) */
export function conditionsOf(copies: readonly OtherCopy[]): ToldCondition[] {
  return copies.flatMap((copy): ToldCondition[] => {
    switch (copy.kind) {
      case 'tlsrpt':
        return tlsConditions(copy.report);
      case 'aprf':
        return placementConditions(copy.report);
      case 'ruf':
        return copy.report.reportedDomain === null
          ? []
          : [{ type: 'forensic_report_received', name: copy.report.reportedDomain, parts: 'today', day: null }];
    }
  });
}

function tlsConditions({ begin, end, policies }: TlsFacts): ToldCondition[] {
  const at = begin ?? end;
  return policies.flatMap(({ domain, successes, failures }) =>
    domain !== null && isFailingTls({ successes: successes ?? 0, failures: failures ?? 0 })
      ? [{ type: 'tls_failures', name: domain, parts: [domain], day: at === null ? null : dayOf(at) }]
      : [],
  );
}

function placementConditions({ source, dkimDomain, dkimSelector, day, rows }: AprfFacts): ToldCondition[] {
  const rate = spamRate(rows.map(({ classification }) => classification));
  if (rate === undefined) return [];
  const message = `${source} placed ${rate}% of mail signed by ${dkimDomain} in spam.`;
  const name = dkimDomain.replace(/^\*\./, '');
  return [{ type: 'aprf_spam_placement', name, parts: [source, dkimSelector], day, message }];
}
