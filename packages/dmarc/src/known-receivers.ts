/** A receiver by the name that its reports bear, and the domains of its contact addresses. */
interface KnownReceiver {
  /** In lower case. */
  name: RegExp;
  domains: readonly string[];
}

/**
 * Large receivers that are recognised by name. Where anybody can have a mailbox at a domain, the host of the contact
 * address is listed, where it is known to be another. (rules, coverage/known-receivers)
 */
const RECEIVERS: readonly KnownReceiver[] = [
  { name: /^google\.com$/, domains: ['google.com'] },
  { name: /^yahoo/, domains: ['yahooinc.com', 'yahoo-inc.com', 'dmarc.yahoo.com'] },
  { name: /^(?:outlook\.com|enterprise outlook|microsoft corp\.)$/, domains: ['microsoft.com'] },
  { name: /^amazon-ses$/, domains: ['amazonses.com'] },
  { name: /^mail\.ru$/, domains: ['corp.mail.ru'] },
  { name: /^comcast\.net$/, domains: ['alerts.comcast.net'] },
  { name: /^aol$/, domains: ['aol.com'] },
  { name: /^163\.com$/, domains: ['163.com'] },
  { name: /^126\.com$/, domains: ['126.com'] },
  { name: /^fastmail pty ltd$/, domains: ['fastmail.com', 'fastmaildmarc.com'] },
  { name: /^mimecast$/, domains: ['mimecastreport.com'] },
  { name: /^zoho\.com$/, domains: ['zoho.com'] },
  { name: /^linkedin\.com$/, domains: ['linkedin.com'] },
];

/** What `countedReporter` puts behind a name; a name that ends like it is not the name of a receiver. */
const SUFFIXES = /(?: \([^()]*\))+$/;

/** The contact domains of the receiver that this name claims, also with a suffix; undefined for all other names. */
export function contactDomains(reporterName: string | null): readonly string[] | undefined {
  const name = (reporterName ?? '').toLowerCase().replace(SUFFIXES, '');
  return RECEIVERS.find((receiver) => receiver.name.test(name))?.domains;
}

/** The contact domains of the receiver whose contact address is at this domain; undefined for all other domains. */
export function domainsBeside(contact: string): readonly string[] | undefined {
  return RECEIVERS.find(({ domains }) => isWithin(contact, domains))?.domains;
}

/** True if the name ends like one that `countedReporter` makes. */
export function hasSuffix(name: string): boolean {
  return SUFFIXES.test(name);
}

/** True if a normalized domain is one of these, or below one. */
export function isWithin(domain: string, domains: readonly string[]): boolean {
  return domains.some((each) => domain === each || domain.endsWith(`.${each}`));
}
