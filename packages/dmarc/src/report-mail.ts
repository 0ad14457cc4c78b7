import { isDomainName } from '@dmarc-ledger/vocabulary';
import { contactDomains, domainsBeside, isWithin } from './known-receivers.ts';
import { publicSuffixDomains } from './organizational-domain.ts';
import { reporterDomain, type ReporterFields } from './reporter.ts';

/** What a trusted receiving server recorded about a mail; domains are normalized. (RFC 8601) */
export interface MailFacts {
  /** Domain of the From field; null unless there is exactly one. */
  from: string | null;
  /** The server's name, `-` if it does not name itself; null if no trusted server recorded anything. */
  authservId: string | null;
  /** The DMARC result; null if it was not evaluated, or for another domain than the From field's. */
  dmarc: string | null;
  spf: MethodFact | null;
  dkim: MethodFact[];
}

export interface MethodFact {
  result: string;
  domain: string | null;
}

const organizationalDomain = publicSuffixDomains();

/**
 * The From domains of reporters whose contact address is at another organizational domain, by that domain. Exact names:
 * anybody can have a mailbox at yahoo.com.
 */
const SENDING: ReadonlyMap<string, string> = new Map([
  ['yahooinc.com', 'dmarc.yahoo.com'],
  ['yahoo-inc.com', 'dmarc.yahoo.com'],
]);

/**
 * True if the mail that brought a report passed DMARC as the report's generator (RFC 9990, 3.5.2; rules,
 * copies/mail-of-the-reporter); null if there is no result, or the report does not name its generator's domain. A mail
 * of another domain is not the generator's, whatever could not be looked up about it. A known receiver mails from
 * the domains of its addresses, not from others of the same organizational domain, where anybody may have a mailbox.
 */
export function isFromReporter(mail: MailFacts, metadata: ReporterFields): boolean | null {
  const { from } = mail;
  const passed = passedDmarc(mail);
  if (passed === false || from === null || !isEvaluated(mail)) return passed;
  const named = metadata.email?.split('@')[1] ? undefined : contactDomains(metadata.reporterName);
  if (named) return isWithin(from, named) ? passed : false;
  const reporter = reporterDomain(metadata);
  if (reporter === null) return null;
  const known = domainsBeside(reporter);
  if (known && !isWithin(from, known)) return false;
  const stated = organizationalDomain(reporter);
  return stated === organizationalDomain(from) || SENDING.get(stated) === from ? passed : false;
}

/**
 * True if a mail passed DMARC for the domain of its From field; null if there is no result. False without one such
 * domain: DMARC cannot pass. (RFC 9989, 5.3.1) A lookup that failed for another domain leaves nothing open, as anybody
 * can sign with a domain that does not answer.
 */
export function passedDmarc(mail: MailFacts): boolean | null {
  const { from, dmarc, spf, dkim } = mail;
  if (!isEvaluated(mail)) return null;
  if (from === null) return false;
  if (dmarc === 'pass') return true;
  if (dmarc === 'fail') return false;
  const results = spf ? [spf, ...dkim] : dkim;
  const isAligned = ({ domain }: MethodFact) =>
    domain !== null && isDomainName(domain) && organizationalDomain(domain) === organizationalDomain(from);
  if (results.some((entry) => entry.result === 'pass' && isAligned(entry))) return true;
  const isOpen = (entry: MethodFact) => entry.result === 'temperror' && (entry.domain === null || isAligned(entry));
  return results.length === 0 || results.some(isOpen) ? null : false;
}

/** True if a trusted server recorded a result. */
function isEvaluated({ authservId, dmarc, spf, dkim }: MailFacts): boolean {
  return authservId !== null && (dmarc !== null || spf !== null || dkim.length > 0);
}
