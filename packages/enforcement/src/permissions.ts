/** A record by which a host accepts reports about another organization's domain. (RFC 9990, 4) */
export interface PermissionRecord {
  /** The host of the report address, in whose zone the record belongs. */
  host: string;
  name: string;
  type: 'TXT';
  value: string;
}

/**
 * Returns the records that a DMARC record needs so that reporters send to these addresses: one for each host of another
 * organization. (rules, domain-checks/reporting-to-another-organization)
 * @param at the domain that has the DMARC record
 */
export function permissionRecords(
  at: string,
  addresses: readonly string[],
  organizationalDomain: (domain: string) => string | undefined,
): PermissionRecord[] {
  const hosts = new Set(addresses.map((address) => address.slice(address.lastIndexOf('@') + 1).toLowerCase()));
  return [...hosts]
    .filter((host) => organizationalDomain(host) !== organizationalDomain(at))
    .map((host) => ({ host, name: `${at}._report._dmarc.${host}`, type: 'TXT', value: 'v=DMARC1' }));
}

/** True if a `rua` tag, or a record that has one, names this address, whatever else it names. */
export function reportsTo(rua: string, address: string): boolean {
  const uris = decoded(rua)
    .toLowerCase()
    .split(/[\s,;]+/)
    .map((part) => part.replace(/^(?:ru[af])?=/, ''));
  const wanted = `mailto:${address.toLowerCase()}`;
  return uris.some((uri) => uri === wanted || uri.startsWith(`${wanted}!`));
}

/** Percent-encoded characters of addresses as they are; a text that is not properly encoded stays. (RFC 6068, 2) */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
