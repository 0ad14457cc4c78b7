import { readDomainName } from '@dmarc-ledger/vocabulary';

/** One entry of `rua` or `ruf`. */
export interface ReportUri {
  text: string;
  /** The address of a `mailto:` URI, its domain in A-labels; null for other schemes and for what is no URI. */
  address: string | null;
  /** A limit of size stands behind it: of RFC 7489, ignored since RFC 9989. */
  hasSize: boolean;
}

const SIZE = /!\d+[kmgt]?$/i;
const MAILTO = /^mailto:([^?]*)/i;

/** The URIs of a list, with commas between. (RFC 9989, 4.8) */
export function readReportUris(list: string | undefined): ReportUri[] {
  return (list ?? '')
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map((text) => {
      const bare = text.replace(SIZE, '');
      return { text, address: readAddress(MAILTO.exec(bare)?.[1]), hasSize: bare !== text };
    });
}

/**
 * An address to be compared: percent signs resolved, all in lower case, the domain normalized. Null for what is none.
 */
export function readAddress(text: string | undefined): string | null {
  const decoded = decode(text ?? '');
  const at = decoded.lastIndexOf('@');
  if (at < 1) return null;
  const domain = readDomainName(decoded.slice(at + 1));
  return domain ? `${decoded.slice(0, at).toLowerCase()}@${domain}` : null;
}

/**
 * Whether reports that are sent there come to us: to the very address, for tags behind a plus sign tell tenants apart.
 * (rules, domain-checks/our-addresses)
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
