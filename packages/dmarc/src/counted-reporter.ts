import { contactDomains, hasSuffix, isWithin } from './known-receivers.ts';
import { publicSuffixDomains } from './organizational-domain.ts';
import { reporterDomain, type ReporterFields } from './reporter.ts';

/** The reporter that a report counts for in figures. */
export interface CountedReporter {
  /** Unique; empty when the report does not name its reporter. */
  name: string;
  /** What the report says instead; null where it says the same. */
  statedName: string | null;
}

const organizationalDomain = publicSuffixDomains();

/**
 * The name as sent. That of a known receiver, sent with the contact address of another, has the domain of that address
 * behind it: `google.com (evil.example)`. Without an address nothing contradicts the name. A name that is sent with
 * such an end gets a further one, so that the two are never the same. (rules, coverage/known-receivers)
 */
export function countedReporter({ email, reporterName }: ReporterFields): CountedReporter {
  const name = reporterName ?? '';
  const domains = contactDomains(reporterName);
  if (!domains) return { name, statedName: null };
  const isStated = Boolean(email?.split('@')[1]);
  const contact = isStated ? reporterDomain({ email, reporterName: null }) : null;
  const isContradicted = isStated && (contact === null || !isWithin(contact, domains));
  if (!isContradicted && !hasSuffix(name)) return { name, statedName: null };
  return { name: `${name} (${contact === null ? 'no domain' : organizationalDomain(contact)})`, statedName: name };
}
