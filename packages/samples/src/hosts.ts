/** What a lookup finds about the addresses of one sender. */
export interface SampleHost {
  addresses: readonly string[];
  /** The confirmed host name of an address; absent: it has none. `#` stands for the last part of the address. */
  hostName?: string;
  asn: number;
  isp: string;
  /** ISO 3166-1, two letters, and the country's name in English. */
  country: [code: string, name: string];
  city?: string;
  /** The ids of the blocklists that list it. */
  listedBy?: readonly string[];
  /** The abuse score, 0 to 100, and the number of reports about it; absent: none are known. */
  abuse?: { score: number; reports: number };
}

const GERMANY: SampleHost['country'] = ['DE', 'Germany'];
const US: SampleHost['country'] = ['US', 'United States'];

/** Servers of the domain's own, at a hosting company. */
export function ownServers(addresses: readonly string[], hostName: string): SampleHost {
  return { addresses, hostName, asn: 64_500, isp: 'Fiberline Hosting', country: GERMANY, city: 'Leipzig' };
}

/** Outgoing servers of well-known services, by the host names that they use. */
export function microsoft365(addresses: readonly string[]): SampleHost {
  const hostName = 'mail-eur0#.outbound.protection.outlook.com';
  return { addresses, hostName, asn: 8_075, isp: 'Microsoft Corporation', country: US };
}

export function googleWorkspace(addresses: readonly string[]): SampleHost {
  return { addresses, hostName: 'mail-sor-f#.google.com', asn: 15_169, isp: 'Google LLC', country: US };
}

export function amazonSes(addresses: readonly string[]): SampleHost {
  return { addresses, hostName: 'a8-#.smtp-out.amazonses.com', asn: 16_509, isp: 'Amazon.com', country: US };
}

export function sendGrid(addresses: readonly string[]): SampleHost {
  return { addresses, hostName: 'o#.ptr.sendgrid.net', asn: 11_377, isp: 'Twilio SendGrid', country: US };
}

/** A server that passes on the mail of others: a forwarder, a mailing list. */
export function relay(addresses: readonly string[], hostName: string): SampleHost {
  return { addresses, hostName, asn: 64_501, isp: 'Northern Relay', country: ['NL', 'Netherlands'], city: 'Utrecht' };
}

const NETWORKS: Pick<SampleHost, 'asn' | 'isp' | 'country'>[] = [
  { asn: 64_510, isp: 'Cheap VPS', country: ['RO', 'Romania'] },
  { asn: 64_511, isp: 'Broadband Residential', country: ['BR', 'Brazil'] },
  { asn: 64_512, isp: 'Telecable', country: ['VN', 'Vietnam'] },
  { asn: 64_513, isp: 'Metro Wireless', country: ['IN', 'India'] },
];

/** A botnet: many networks, no host names, most addresses on blocklists. */
export function botnet(addresses: readonly string[]): SampleHost[] {
  return addresses.map((address, i) => ({
    addresses: [address],
    ...(NETWORKS[i % NETWORKS.length] ?? { asn: 64_510, isp: 'Cheap VPS', country: US }),
    ...(i % 4 !== 3 && { listedBy: i % 2 === 0 ? ['spamhaus-zen', 'barracuda'] : ['spamcop', 'psbl'] }),
    ...(i % 3 === 0 && { abuse: { score: i % 48 === 0 ? 92 : 40, reports: 12 + i } }),
  }));
}
