import type { Ledger } from './ledger.ts';
import { get, type Served } from './served.ts';

const DAY_MS = 86_400_000;

/** What the requests name: a report, a busy domain and address, and ones that send little. */
export interface Named {
  id: string;
  /** What its reporter calls it. */
  reportId: string;
  domain: string;
  small: string;
  address: string;
  /** The first two numbers of it. */
  network: string;
  rare: string;
  domains: string[];
}

/** Finds what the requests name in a ledger. */
export async function findNamed(
  { database: { pool } }: Ledger,
  { url }: Served,
  headers: { authorization: string },
): Promise<Named> {
  const { reports } = JSON.parse((await get(new URL('/v1/reports?limit=1', url), headers)).body) as {
    reports: { id: string; report_id: string }[];
  };
  const { rows: domains } = await pool.query<{ name: string }>(
    'select d.name from domain_total t join domain d on d.id = t.domain_id order by t.messages desc, d.name',
  );
  const { rows: addresses } = await pool.query<{ ip: string }>(
    `select host(source_ip) as ip from source_total where family(source_ip) = 4 order by reports desc, source_ip`,
  );
  const names = domains.map(({ name }) => name);
  const [address, rare] = [addresses[0]!.ip, addresses.at(-1)!.ip];
  const { id, report_id: reportId } = reports[0]!;
  const network = address.split('.', 2).join('.');
  return { id, reportId, domain: names[0]!, small: names.at(-1)!, address, network, rare, domains: names };
}

/** A path as it is called in every run, whatever the ledger is made of. */
export function nameOf(path: string, { id, reportId, domain, small, address, network, rare }: Named): string {
  const called = { [id]: '{id}', [reportId]: '{report id}', [domain]: '{busy domain}', [small]: '{small domain}' };
  const names = Object.entries({
    ...called,
    [address]: '{busy address}',
    [rare]: '{rare address}',
    [`=${network}`]: '={network}',
  });
  const named = names.reduce((text, [value, name]) => text.replaceAll(value, name), path);
  return named.replaceAll(
    /\d{4}-\d\d-\d\d/g,
    (day) => `{${Math.floor((Date.now() - Date.parse(day)) / DAY_MS)} days ago}`,
  );
}

export function daysAgo(days: number): string {
  return new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
}
