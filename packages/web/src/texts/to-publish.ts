import { publicSuffixDomains } from '@dmarc-ledger/dmarc';
import { addressFor, EXAMPLE_ADDRESS } from '@dmarc-ledger/enforcement';
import type { Day } from '@dmarc-ledger/vocabulary';

/** What stands in the DNS, and where reports are to go. */
export interface Present {
  domain: string;
  /** False before the first check, and while the name servers do not answer: a record may stand that is not seen. */
  isKnown: boolean;
  /** What is published now. */
  records: readonly string[];
  /** What the last check noted. */
  notes: readonly string[];
  /** The domain above whose record applies. */
  inheritedFrom?: string | null | undefined;
  /** The hosts of its MX records as the last check saw them; absent where it saw no answer. */
  mailServers?: readonly string[] | undefined;
  /** Names at which an alias (CNAME) stands, and where it leads. */
  aliases?: ReadonlyMap<string, string> | undefined;
  /** The organization's own report addresses. */
  addresses: readonly string[];
  today: Day;
}

/** A record to put into the DNS, or a file to put on a web server. */
export interface ToPublish {
  what: string;
  name: string;
  type: string;
  value: string;
  /** Where the alias leads that stands at the name: no record can stand beside it. (RFC 1034, 3.6.2) */
  aliasOf?: string;
}

/** Said of a record to publish at a name that is an alias. */
export function aliasText({ name, target }: { name: string; target: string }): string {
  return (
    `${name} is an alias (CNAME) of ${target}, and no record can stand beside an alias: ` +
    'change the record there, or remove the alias first.'
  );
}

/** Where reports are to go. */
interface ReportsTo {
  address: string;
  isPlaceholder: boolean;
}

export const organizationalDomain = publicSuffixDomains();
/** Said of a record with the placeholder: published as it stands, reports would go to somebody else. */
const PUT_YOURS = `in place of ${EXAMPLE_ADDRESS}, put the address where your reports are to arrive`;

/** Where the reports about a domain are to go: to an address of the organization, or to the placeholder for one. */
export function reportsTo(domain: string, addresses: readonly string[]): ReportsTo {
  const address = addressFor(domain, addresses, organizationalDomain);
  return { address: address ?? EXAMPLE_ADDRESS, isPlaceholder: address === undefined };
}

export function withAddress(what: string, { isPlaceholder }: ReportsTo): string {
  return isPlaceholder ? `${what}; ${PUT_YOURS}:` : `${what}:`;
}

export function txt(what: string, name: string, value: string): ToPublish {
  return { what, name, type: 'TXT', value };
}
