import { readDomainName, trimAsciiSpace } from '@dmarc-ledger/vocabulary';

/** One entry of `rua` or `ruf`. */
export interface ReportUri {
  text: string;
  /** The address of a `mailto:` URI, its domain in A-labels; null for other schemes and invalid URIs. */
  address: string | null;
  /** True if a size limit follows it, which RFC 7489 defined and RFC 9989 ignores. */
  hasSize: boolean;
}

const SIZE = /!\d+[kmgt]?$/i;
const MAILTO = /^mailto:([^?]*)/i;

/** Reads a comma-separated list of URIs. (RFC 9989, 4.8) */
export function readReportUris(list: string | undefined): ReportUri[] {
  return (list ?? '')
    .split(',')
    .map(trimAsciiSpace)
    .filter((text) => text !== '')
    .map((text) => {
      const bare = text.replace(SIZE, '');
      return { text, address: readAddress(MAILTO.exec(bare)?.[1]), hasSize: bare !== text };
    });
}

/** True for a URI of any scheme that is well-formed; a `mailto:` URI needs an address. (RFC 9989, 4.10.1) */
export function isReportUri({ text, address }: ReportUri): boolean {
  return address !== null || (URL.canParse(text.replace(SIZE, '')) && !/^mailto:/i.test(text));
}

/**
 * Normalizes an address for comparison: percent-decoded, in lower case, the domain normalized. Null for any other text.
 */
export function readAddress(text: string | undefined): string | null {
  const decoded = decode(text ?? '');
  const at = decoded.lastIndexOf('@');
  if (at < 1) return null;
  const domain = readDomainName(decoded.slice(at + 1));
  return domain ? `${decoded.slice(0, at).toLowerCase()}@${domain}` : null;
}

/**
 * True if reports sent there reach us: the exact address, as tags after a plus sign distinguish tenants. (rules,
 * domain-checks/our-addresses)
 */
export function isOurs(uris: readonly ReportUri[], ourAddresses: readonly string[]): boolean {
  const ours = new Set(ourAddresses.map(readAddress));
  return uris.some(({ address }) => address !== null && ours.has(address));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text).trim();
  } catch {
    return text.trim();
  }
}
