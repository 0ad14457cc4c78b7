import type { Bench } from '../bench.ts';
import { keyOf } from '../filled.ts';
import { growth } from '../growth.ts';
import type { Ledger } from '../ledger.ts';
import { findNamed } from '../named.ts';
import { eachFilter, pagesOf, type Asked } from '../requests.ts';
import { digits, singleRow, type Row } from '../row.ts';
import { ask, CLIENTS, get, quantile, residentMiB, serve, stop, type Answered, type Served } from '../served.ts';
import { openYear } from '../year.ts';

const AT_MOST_MANY = 80;
/** How long many clients, and one client, request each endpoint, at least. */
const SECONDS = Number(process.env['LOAD_SECONDS'] ?? 5);
const QUICK_SECONDS = 0.1;
const GIB = 1024 ** 3;

/** How long every endpoint takes, with every filter and in every order, on ten million records of a year. */
export async function reads(bench: Bench): Promise<Row[]> {
  const begun = performance.now();
  const { ledger, records, bytes } = await openYear(bench);
  const filling = singleRow({
    name: `reads filling, ${records.toLocaleString('en-US')} records`,
    detail: `${digits(bytes / GIB)} GiB of tables and indexes; the audit found no drift`,
    unit: 's',
    value: (performance.now() - begun) / 1_000,
  });
  try {
    const answers = await answersOf(bench, ledger);
    return [filling, ...answers, await growth(bench, ledger)];
  } finally {
    await ledger.close();
  }
}

async function answersOf({ options, log }: Bench, ledger: Ledger): Promise<Row[]> {
  const headers = { authorization: `Bearer ${await keyOf(ledger)}` };
  const served = await serve('api', ledger);
  try {
    const rows: Row[] = [];
    const seconds = options.isQuick ? QUICK_SECONDS : SECONDS;
    for (const asked of eachFilter(await findNamed(ledger, served, headers))) {
      const of = await rowsOf(asked, { ledger, served, headers, seconds, log });
      for (const { name, measured, detail } of of) log(`  ${name}: ${measured.median.toFixed(1)} ms; ${detail}`);
      rows.push(...of);
    }
    const memory = { name: 'reads memory of the API', detail: 'after all endpoints', value: residentMiB(served) };
    return [...rows, singleRow({ ...memory, unit: 'MiB' })];
  } finally {
    await stop(served);
  }
}

interface Needs {
  ledger: Ledger;
  served: Served;
  headers: { authorization: string };
  seconds: number;
  log: Bench['log'];
}

/** The first answer is computed by a process and a database that have not seen the filter. */
async function rowsOf(asked: Asked, needs: Needs): Promise<Row[]> {
  const begun = performance.now();
  const { body } = await get(new URL(`/v1${asked.paths[0]}`, needs.served.url), needs.headers);
  const first = performance.now() - begun;
  const name = `reads ${asked.name}`;
  if (!asked.sorts) return await measure(asked, needs, { name, first, paths: asked.paths });
  const pages = pagesOf(asked, (JSON.parse(body) as { total?: number }).total ?? 0);
  const rows = await measure(asked, needs, { name, first, paths: pages.first });
  if (pages.deep.length === 0) return rows;
  return [...rows, ...(await measure(asked, needs, { name: `${name}, deep`, paths: pages.deep }))];
}

interface Measured {
  name: string;
  paths: readonly string[];
  /** The time of the first answer, in milliseconds; what lies deep in a list has none, and no target. */
  first?: number;
}

/** Requests the paths by one client, and then by many. */
async function measure(
  { isKept, atMost }: Asked,
  { ledger, served, headers, seconds, log }: Needs,
  { name, paths, first }: Measured,
): Promise<Row[]> {
  const asking = { paths: paths.map((path) => `/v1${path}`), headers, seconds, onFailure: log };
  const before = isKept ? () => change(ledger) : undefined;
  const alone = await ask(served, { ...asking, clients: 1, before });
  const many = await ask(served, { ...asking, clients: CLIENTS });
  const begun = first === undefined ? '' : `first ${first.toFixed(1)}, `;
  const limits = first === undefined ? [undefined, undefined] : [atMost, AT_MOST_MANY];
  return [
    answersRow(name, `${begun}${textOf(alone)}`, alone, limits[0]),
    answersRow(`${name}, ${CLIENTS} clients`, textOf(many), many, limits[1]),
  ];
}

/** As if a report had come in. */
async function change({ database: { pool }, orgId }: Ledger): Promise<void> {
  await pool.query('update org_total set changes = changes + 1 where org_id = $1', [orgId]);
}

function answersRow(name: string, detail: string, answers: readonly Answered[], atMost: number | undefined): Row {
  const target = atMost === undefined ? {} : { target: { atMost } };
  return singleRow({ name, detail, unit: 'ms', value: quantile(answers, 0.99), ...target });
}

function textOf(answers: readonly Answered[]): string {
  const slowest = answers.reduce((a, b) => (b.ms > a.ms ? b : a));
  const p50 = quantile(answers, 0.5).toFixed(1);
  return `p50 ${p50}, ${answers.length} answers; slowest ${slowest.ms.toFixed(1)} ${slowest.path}`;
}
