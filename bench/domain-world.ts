import { findProgram } from '../packages/testkit/src/debian-package.ts';
import { startKnot, type DnsServer } from '../packages/testkit/src/knot.ts';

/** Addresses of name servers; every domain is on two of them, as customers of as many providers are. */
const PROVIDERS = 100;
const first = (i: number) => `127.1.0.${(i % PROVIDERS) + 1}`;
const second = (i: number) => `127.1.1.${(i % PROVIDERS) + 1}`;

export const domainOf = (index: number): string => `domain${index}.com`;
export const SELECTORS = ['s1', 's2'];
export const OUR_ADDRESS = 'rua@ledger.example';

/** So many domains, each a zone of its own with what most have: DMARC, SPF with includes, keys, TLS reports, MX. */
export async function startDomains(count: number): Promise<DnsServer> {
  const { program, missing } = await findProgram(['knotd'], 'knot');
  if (!program) throw new Error(missing);
  const hosts = Array.from({ length: PROVIDERS }, (_, i) => `a${i} A ${first(i)}\nb${i} A ${second(i)}`);
  const key = `p=${Buffer.alloc(32, 7).toString('base64')}`;
  const domains = Array.from({ length: count }, (_, i): [string, string] => [
    domainOf(i),
    `@ NS a${i % PROVIDERS}.test.
@ NS b${i % PROVIDERS}.test.
@ MX 10 mx1
@ MX 20 mx2
mx1 A 192.0.2.1
mx2 A 192.0.2.2
@ TXT "v=spf1 include:one.vendor${i % PROVIDERS}.test include:two.vendor${i % PROVIDERS}.test -all"
_dmarc TXT "v=DMARC1; p=reject; rua=mailto:${OUR_ADDRESS}"
_smtp._tls TXT "v=TLSRPTv1; rua=mailto:${OUR_ADDRESS}"
${SELECTORS.map((selector) => `${selector}._domainkey TXT "v=DKIM1; k=ed25519; ${key}"`).join('\n')}`,
  ]);
  const vendors = Array.from({ length: PROVIDERS }, (_, i): [string, string] => [
    `vendor${i}.test`,
    `@ NS a${i}.test.\n@ NS b${i}.test.\none TXT "v=spf1 ip4:192.0.2.0/24 ~all"\ntwo TXT "v=spf1 ip4:198.51.100.0/24 ` +
      `~all"`,
  ]);
  const zones = {
    '.': '',
    com: '',
    test: ['ns A 127.0.0.1', ...hosts].join('\n'),
    ...Object.fromEntries([...vendors, ...domains]),
  };
  const alsoAt = Array.from({ length: PROVIDERS }, (_, i) => [first(i), second(i)]).flat();
  return await startKnot(program, zones, { alsoAt });
}
