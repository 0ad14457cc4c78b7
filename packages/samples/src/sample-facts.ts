import { domains } from './domains.ts';
import type { SampleFinding } from './sample-domain.ts';
import type { SampleHost } from './hosts.ts';
import type { SampleZone } from './zone.ts';

/** What lookups find about one sample address. */
export interface SampleAddress extends Omit<SampleHost, 'addresses'> {
  address: string;
}

/**
 * What is published for a name of the samples: for the name of a sample domain and all names below it; undefined for
 * any other. The records are those that the domain publishes, and those that these refer to.
 */
export function sampleZone(name: string): SampleZone | undefined {
  const of = domains.filter((domain) => name === domain.name || name.endsWith(`.${domain.name}`));
  return of.toSorted((a, b) => b.name.length - a.name.length)[0]?.zone;
}

/** The domains that the organization of the samples has added, and the addresses that it receives reports at. */
export function sampleOrganization(): { domains: string[]; reportAddresses: string[] } {
  const added = domains.filter(({ isFound }) => !isFound).map(({ name }) => name);
  return { domains: added, reportAddresses: added.map((name) => `dmarc@${name}`) };
}

/** What earlier checks found, of each domain the earliest first. */
export function sampleHistory(): { domain: string; findings: readonly SampleFinding[] }[] {
  return domains.map(({ name, history = [] }) => ({ domain: name, findings: history }));
}

/** What lookups find about an address of the samples; undefined for any other address. All are for documentation. */
export function sampleAddress(address: string): SampleAddress | undefined {
  return addresses.get(address);
}

const addresses = new Map(
  domains
    .flatMap(({ hosts }) => hosts)
    .flatMap(({ addresses: of, ...host }) => of.map((address) => [address, namedAfter(address, host)] as const)),
);

function namedAfter(address: string, { hostName, ...host }: Omit<SampleHost, 'addresses'>): SampleAddress {
  const last = address.split(/[.:]/).at(-1) ?? '';
  return { address, ...host, ...(hostName !== undefined && { hostName: hostName.replace('#', last) }) };
}
