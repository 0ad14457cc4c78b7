import { findProgram } from '../packages/testkit/src/debian-package.ts';
import { startKnot, type DnsServer } from '../packages/testkit/src/knot.ts';
import { below, seeded } from './random.ts';

/** The lists that lookups ask here; each lists one address in fifty. */
export const ZONES = ['one.test', 'two.test', 'three.test'];
const LISTED = 50;

/** A name server that knows a name for half of so many addresses, and which of them are listed. */
export async function startNames(count: number): Promise<DnsServer> {
  const { program, missing } = await findProgram(['knotd'], 'knot');
  if (!program) throw new Error(missing);
  const all = Array.from({ length: count }, (_, index) => index);
  const named = all.filter((index) => index % 2 === 0);
  const zones: { [origin: string]: string } = {
    '.': '',
    'in-addr.arpa': named.map((index) => `${labelsOf(index)} PTR h${index}.hosts.test.`).join('\n'),
    'hosts.test': named.map((index) => `h${index} A ${addressOf(index)}`).join('\n'),
  };
  for (const [place, zone] of ZONES.entries()) {
    const listed = all.filter((index) => index % LISTED === place).map((index) => `${labelsOf(index)} A 127.0.0.2`);
    zones[zone] = ['2.0.0.127 A 127.0.0.2', ...listed].join('\n');
  }
  return await startKnot(program, zones);
}

function addressOf(index: number): string {
  return `45.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;
}

function labelsOf(index: number): string {
  return addressOf(index).split('.').reverse().join('.');
}

/** What an operator would write of these lists. */
export function blocklistsFile(): string {
  const lists = ZONES.map((zone, place) => ({ id: `list-${place}`, zone, rank: place + 1, tier: 2, ingest: true }));
  return JSON.stringify({ built_in: false, lists });
}

const RECORDS = 2_000;

/** Reports that mention each address once; half of the mail fails. */
export function* reportsOn(count: number, seed: number): Generator<Buffer> {
  const random = seeded(seed);
  for (let first = 0; first < count; first += RECORDS) {
    const records = Array.from({ length: Math.min(RECORDS, count - first) }, (_, n) =>
      recordXml(first + n, 1 + below(random, 20), random() < 0.5 ? 'pass' : 'fail'),
    );
    yield Buffer.from(reportXml(`r${first}`, records.join('')));
  }
}

function reportXml(id: string, records: string): string {
  return `<feedback><report_metadata><org_name>Bench</org_name><email>a@bench.test</email><report_id>${id}</report_id>
<date_range><begin>1767225600</begin><end>1767311999</end></date_range></report_metadata>
<policy_published><domain>example.com</domain><p>none</p></policy_published>${records}</feedback>`;
}

function recordXml(index: number, count: number, result: string): string {
  return `<record><row><source_ip>${addressOf(index)}</source_ip><count>${count}</count><policy_evaluated>
<disposition>none</disposition><dkim>${result}</dkim><spf>fail</spf></policy_evaluated></row><identifiers>
<header_from>example.com</header_from></identifiers><auth_results><dkim><domain>example.com</domain>
<result>${result}</result></dkim></auth_results></record>`;
}
