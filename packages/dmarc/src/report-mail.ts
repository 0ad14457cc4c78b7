import { isDomainName, normalizeDomain, present } from '@dmarc-ledger/vocabulary';
import { publicSuffixDomains, type OrganizationalDomain } from './organizational-domain.ts';
import type { ReportMetadata } from './report.ts';

/** What a receiving server that we believe recorded of a mail; domains are normalized. (RFC 8601) */
export interface MailFacts {
  /** Domain of the From field; null unless there is exactly one. */
  from: string | null;
  /** Who says so, `-` for a server that does not name itself; null when nobody who is believed says anything. */
  authservId: string | null;
  /** Result of DMARC; null when it was not evaluated, or for another domain than that of the From field. */
  dmarc: string | null;
  spf: MethodFact | null;
  dkim: MethodFact[];
}

export interface MethodFact {
  result: string;
  domain: string | null;
}

const bySuffixList = publicSuffixDomains();

/**
 * Whether the mail that brought a report passed DMARC as the report's generator (RFC 9990, 3.5.2;
 * rules, copies/mail-of-the-reporter): null when nothing tells, or the report does not name the domain of its
 * generator.
 */
export function isFromReporter(
  mail: MailFacts,
  metadata: Pick<ReportMetadata, 'email' | 'reporterName'>,
  organizationalDomain: OrganizationalDomain = bySuffixList,
): boolean | null {
  const passed = passedDmarc(mail, organizationalDomain);
  if (!passed) return passed;
  const reporter = reporterDomain(metadata);
  return reporter === null ? null : organizationalDomain(reporter) === organizationalDomain(present(mail.from));
}

function passedDmarc({ from, authservId, dmarc, spf, dkim }: MailFacts, organizationalDomain: OrganizationalDomain) {
  if (authservId === null || from === null) return null;
  if (dmarc === 'pass') return true;
  if (dmarc === 'fail') return false;
  const results = spf ? [spf, ...dkim] : dkim;
  const isAligned = ({ domain }: MethodFact) =>
    domain !== null && isDomainName(domain) && organizationalDomain(domain) === organizationalDomain(from);
  if (results.some((entry) => entry.result === 'pass' && isAligned(entry))) return true;
  return results.length === 0 || results.some(({ result }) => result === 'temperror') ? null : false;
}

/** The domain of the report's contact address; without one its name, when that is a domain. */
function reporterDomain({ email, reporterName }: Pick<ReportMetadata, 'email' | 'reporterName'>): string | null {
  const domain = normalizeDomain(email?.split('@')[1] || (reporterName ?? ''));
  return isDomainName(domain) ? domain : null;
}
