import type { OtherReport } from '@dmarc-ledger/ledger';
import { contactDomains, reporterDomain, type ReporterFields } from '@dmarc-ledger/dmarc';
import { isDomainName, normalizeDomain } from '@dmarc-ledger/vocabulary';

/** The domain behind the first `@`, up to what no domain name has. */
const AFTER_AT = /@([^\s<>()[\],;:?"'@]+)/;

/**
 * The reporter of a TLS or placement report, in the form of that of an aggregate report; undefined if the report names
 * neither a domain that its mail could pass for nor a known receiver. Failure reports name none. (RFC 8460, 4.4; rules,
 * copies/mail-of-the-reporter)
 */
export function otherReporter({ kind, report }: OtherReport): ReporterFields | undefined {
  if (kind === 'ruf') return undefined;
  const reporterName = kind === 'tlsrpt' ? report.reporterName : report.source;
  const domain = contactDomain(report.contact);
  const reporter = { email: domain && `@${domain}`, reporterName };
  const isNamed = reporterDomain(reporter) !== null || contactDomains(reporterName) !== undefined;
  return isNamed ? reporter : undefined;
}

/**
 * The normalized domain of the contact address, which may be written as a `mailto:` URI or beside other text; null if
 * there is none. Identity and authentication read the same one.
 */
export function contactDomain(contact: string | null): string | null {
  const domain = normalizeDomain(AFTER_AT.exec(contact ?? '')?.[1] ?? '');
  return isDomainName(domain) ? domain : null;
}
