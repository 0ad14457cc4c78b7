/** A record by which a host accepts reports about another organization's domain. (RFC 9990, 4) */
export interface PermissionRecord {
  /** The host of the report address, in whose zone the record belongs. */
  host: string;
  name: string;
  type: 'TXT';
  value: string;
}

/**
 * The address for the reports about a domain: one in a domain of the same organization, which needs no record by which
 * another one accepts them, else the first. (RFC 9990, 4; rules, domain-checks/record-to-publish)
 * @param at the domain that has the DMARC record
 */
export function addressFor(
  at: string,
  addresses: readonly string[],
  organizationalDomain: (domain: string) => string | undefined,
): string | undefined {
  const isNear = (address: string) => organizationalDomain(hostOf(address)) === organizationalDomain(at);
  return addresses.find(isNear) ?? addresses[0];
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
  const hosts = new Set(addresses.map(hostOf));
  return [...hosts]
    .filter((host) => organizationalDomain(host) !== organizationalDomain(at))
    .map((host) => ({ host, name: `${at}._report._dmarc.${host}`, type: 'TXT', value: 'v=DMARC1' }));
}

function hostOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase();
}
