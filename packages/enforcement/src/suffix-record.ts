/**
 * True where a record that applies to a domain stands above its organizational domain by the suffix list: that of a
 * public suffix, which others publish. (rules, domain-checks/record-to-publish)
 * @param at the name whose record applies; null for the domain's own
 */
export function isOfPublicSuffix(at: string | null | undefined, organizationalDomain: string): boolean {
  return typeof at === 'string' && organizationalDomain.endsWith(`.${at}`);
}
