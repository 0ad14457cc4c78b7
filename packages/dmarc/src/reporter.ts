import { isDomainName, normalizeDomain } from '@dmarc-ledger/vocabulary';
import type { ReportMetadata } from './report.ts';

/** What a report says about its generator. */
export type ReporterFields = Pick<ReportMetadata, 'email' | 'reporterName'>;

/**
 * The reporter as the report states it: the domain of its contact address, because names change and are shared; without
 * one the name; null without either. Identity and authentication both start from this text: if they read different
 * domains from an address with two `@`, mail of one domain could bring a copy of another domain's report. (RFC 9990,
 * 3.5.4; rules, copies/report-identity)
 */
export function statedReporter({ email, reporterName }: ReporterFields): string | null {
  return email?.split('@')[1] || reporterName;
}

/**
 * The reporter as part of a report's identity: any text, empty if nothing is stated. Stored identities are hashes of
 * it, so only the case is normalized, and its form never changes.
 */
export function reporterKey(metadata: ReporterFields): string {
  return (statedReporter(metadata) ?? '').toLowerCase();
}

/**
 * The domain that mail of the reporter has to pass DMARC for: unlike the key a normalized domain name, or null if the
 * report states none. An address may stand in angle brackets. (rules, copies/mail-of-the-reporter)
 */
export function reporterDomain(metadata: ReporterFields): string | null {
  const domain = normalizeDomain((statedReporter(metadata) ?? '').replace(/>$/, ''));
  return isDomainName(domain) ? domain : null;
}
