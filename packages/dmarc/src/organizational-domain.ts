import { getDomain } from 'tldts';

/**
 * Returns the organizational domain of a normalized name. A name that is itself a public suffix is returned unchanged.
 */
export type OrganizationalDomain = (domain: string) => string;

const REMEMBERED = 50_000;

/**
 * Uses the bundled Public Suffix List with its ICANN and private sections, as receivers do (RFC 7489, 3.2; rules,
 * alignment/organizational-domain). Results are cached, so that the frequent names of a large report are looked up
 * once.
 */
export function publicSuffixDomains(): OrganizationalDomain {
  const known = new Map<string, string>();
  return (domain) => {
    const seen = known.get(domain);
    if (seen !== undefined) return seen;
    if (known.size >= REMEMBERED) known.clear();
    const found = getDomain(domain, { allowPrivateDomains: true, extractHostname: false }) ?? domain;
    known.set(domain, found);
    return found;
  };
}
