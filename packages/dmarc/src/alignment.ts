import { readDomainName } from '@dmarc-ledger/vocabulary';
import { publicSuffixDomains, type OrganizationalDomain } from './organizational-domain.ts';
import type {
  AlignmentMode,
  AuthResults,
  DkimResult,
  Identifiers,
  Outcome,
  PolicyPublished,
  ReportRecord,
  SpfResult,
} from './report.ts';

/** One flag per reported result, in the reporter's order; null where the report has no such results. */
export interface RecordAlignment {
  spf: boolean[] | null;
  dkim: boolean[] | null;
}

type Judged = Pick<ReportRecord, 'identifiers' | 'authResults'>;

/** What reporters write where a signature was not evaluated, instead of a domain. */
const PLACEHOLDERS = new Set(['not.evaluated']);
const bySuffixList = publicSuffixDomains();

/**
 * Returns which of a record's results have a domain aligned with its From domain, under the published mode. A flag says
 * nothing about pass or fail. (RFC 9989, 3.2.10 and 4.4; rules, alignment/helo-results)
 */
export function alignRecord(
  record: Judged,
  policy: PolicyPublished,
  organizationalDomain: OrganizationalDomain = bySuffixList,
): RecordAlignment {
  const from = record.identifiers.headerFrom;
  const aligned = (domain: string | null, mode: AlignmentMode) =>
    isAligned({ authenticated: domain ?? '', from }, mode, policy, organizationalDomain);
  return {
    spf:
      record.authResults.spf?.map(
        (result) => isReturnPath(result, record.identifiers) && aligned(result.domain, policy.aspf),
      ) ?? null,
    dkim: record.authResults.dkim?.map((result) => aligned(result.domain, policy.adkim)) ?? null,
  };
}

/**
 * Strict: the same domain. Relaxed: the same organizational domain, found by the suffix list and by what a report of a
 * tree walk says about its tree. An empty or invalid domain name is aligned with nothing. (RFC 9989, 3.2.10 and 4.10;
 * rules, alignment/aligned-domains)
 */
export function isAligned(
  names: { authenticated: string; from: string },
  mode: AlignmentMode,
  policy: Pick<PolicyPublished, 'domain' | 'psd' | 'discoveryMethod'>,
  organizationalDomain: OrganizationalDomain = bySuffixList,
): boolean {
  const domain = readDomainName(names.authenticated);
  const from = readDomainName(names.from);
  if (!domain || !from || PLACEHOLDERS.has(domain)) return false;
  if (domain === from || mode === 's') return domain === from;
  if (policy.psd === 'y' && isBelow(domain, policy.domain) && isBelow(from, policy.domain)) {
    return labelBelow(domain, policy.domain) === labelBelow(from, policy.domain);
  }
  if (organizationalDomain(domain) === organizationalDomain(from)) return true;
  return policy.discoveryMethod === 'treewalk' && isWithin(domain, policy.domain) && isWithin(from, policy.domain);
}

/** Returns the aligned pass or fail of each mechanism from raw results and their alignment. (RFC 9989, 5.3.5) */
export function alignedOutcomes(results: AuthResults, alignment: RecordAlignment): { dkim: Outcome; spf: Outcome } {
  const outcome = (list: readonly (DkimResult | SpfResult)[] | null, flags: boolean[] | null): Outcome =>
    list?.some((entry, i) => entry.result === 'pass' && flags?.[i]) ? 'pass' : 'fail';
  return { dkim: outcome(results.dkim, alignment.dkim), spf: outcome(results.spf, alignment.spf) };
}

/** A HELO result counts only if the reverse-path is null, so that nothing else can be checked. (RFC 7208, 2.4) */
function isReturnPath(result: SpfResult, { envelopeFrom }: Identifiers): boolean {
  return result.scope !== 'helo' || envelopeFrom === '';
}

function isBelow(name: string, parent: string): boolean {
  return parent !== '' && name.endsWith(`.${parent}`);
}

function isWithin(name: string, parent: string): boolean {
  return name === parent || isBelow(name, parent);
}

function labelBelow(name: string, parent: string): string {
  return name
    .slice(0, -parent.length - 1)
    .split('.')
    .at(-1)!;
}
