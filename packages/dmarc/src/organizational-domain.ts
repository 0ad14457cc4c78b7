import { getDomain } from 'tldts';

/** The organizational domain of a normalized name. A name that is itself a public suffix stands for itself. */
export type OrganizationalDomain = (domain: string) => string;

const REMEMBERED = 50_000;

/**
 * By the Public Suffix List that ships with the product, ICANN and private sections both, as receivers do (RFC 7489,
 * 3.2; rules, alignment/organizational-domain). A name's answer is remembered, so that the busy names of a large report
 * are looked up once.
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
