import type { Bench } from '../bench.ts';
import { keyOf, openFilled } from '../filled.ts';
import { findNamed } from '../named.ts';
import { eachEndpoint } from '../requests.ts';
import { digits, singleRow, type Row } from '../row.ts';
import { ask, CLIENTS, quantile, residentMiB, serve, stop, type Answered } from '../served.ts';

/** How long many clients, and one client, request each endpoint. */
const SECONDS = Number(process.env['LOAD_SECONDS'] ?? 5);
const ALONE_SECONDS = Math.min(5, SECONDS);

/**
 * How long every endpoint takes on a million records, for one client and for sixteen, and what the process comes to.
 */
export async function load(bench: Bench): Promise<Row[]> {
  const ledger = await openFilled(bench);
  const headers = { authorization: `Bearer ${await keyOf(ledger)}` };
  const served = await serve('api', ledger);
  try {
    const rows: Row[] = [];
    const memory: number[] = [];
    for (const { name, paths, atMost } of eachEndpoint(await findNamed(ledger, served, headers))) {
      const asked = { paths: paths.map((path) => `/v1${path}`), headers };
      const alone = await ask(served, { ...asked, clients: 1, seconds: ALONE_SECONDS });
      const many = await ask(served, { ...asked, clients: CLIENTS, seconds: SECONDS });
      memory.push(residentMiB(served));
      const detail =
        `${CLIENTS} clients: ${digits(many.length / SECONDS)}/s, p50 ${at(many, 0.5)}, p99 ` +
        `${at(many, 0.99)} ms; one: p50 ${at(alone, 0.5)}`;
      rows.push(
        singleRow({ name: name.split('?')[0]!, detail, unit: 'ms', value: quantile(alone, 0.99), target: { atMost } }),
      );
    }
    const detail = `after each endpoint: ${memory.map(Math.round).join(' ')}`;
    return [...rows, singleRow({ name: 'memory of the API', detail, unit: 'MiB', value: Math.max(...memory) })];
  } finally {
    await stop(served);
    await ledger.close();
  }
}

function at(answers: readonly Answered[], part: number): string {
  return quantile(answers, part).toFixed(1);
}
