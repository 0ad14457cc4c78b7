import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { newId } from '@dmarc-ledger/vocabulary';
import type { Bench } from '../bench.ts';
import type { CheckerOrder } from '../checker-child.ts';
import { domainOf, OUR_ADDRESS, SELECTORS, startDomains } from '../domain-world.ts';
import { openLedger, type Ledger } from '../ledger.ts';
import { digits, type Row } from '../row.ts';

const PROGRAM = fileURLToPath(new URL('../checker-child.ts', import.meta.url));
const DOMAINS = { full: 10_000, quick: 500 };
/** As the worker has it by default. */
const CONCURRENCY = Number(process.env['BENCH_CHECKS'] ?? 16);
const MIB = 1024 ** 2;

interface Usage {
  rss: number;
  peak: number;
  cpu: { user: number; system: number };
  queries: number;
}

/** One full round of checks, from all being due to all being checked and their health computed. By the clock, once. */
export async function domains({ lab, options, log }: Bench): Promise<Row[]> {
  const count = DOMAINS[options.isQuick ? 'quick' : 'full'];
  const [ledger, names] = [await openLedger(lab), await startDomains(count)];
  try {
    await monitor(ledger, count);
    const before = sum(await names.counts());
    const order = { url: ledger.url, blobsUrl: ledger.blobsUrl, dns: names, concurrency: CONCURRENCY };
    const { seconds, usage } = await checked(ledger, order, count, log);
    const asked = sum(await names.counts()) - before;
    await expectAllVerified(ledger, count);
    const cpu = (usage.cpu.user + usage.cpu.system) / 1_000 / count;
    return [
      {
        name: `domains ${count.toLocaleString('en-US')}`,
        detail:
          `${digits(seconds)} s with their health; ${digits(asked / count)} queries and ${digits(cpu)} ms of ` +
          `CPU a domain; the worker took ${digits(usage.peak / MIB)} MiB at most`,
        unit: 'domains/s',
        measured: { median: count / seconds, min: count / seconds, max: count / seconds },
      },
    ];
  } finally {
    await names[Symbol.asyncDispose]();
    await ledger.close();
  }
}

/** As if reports had named the selectors. */
async function monitor({ database: { pool }, orgId }: Ledger, count: number): Promise<void> {
  await pool.query('update organization set report_addresses = $1 where id = $2', [[OUR_ADDRESS], orgId]);
  const made = JSON.stringify(Array.from({ length: count }, (_, i) => ({ id: newId(), name: domainOf(i) })));
  await pool.query(
    `with made as (
       insert into domain (org_id, id, name, source)
       select $1, id, name, 'manual' from json_to_recordset($2::json) as n (id uuid, name text) returning id, name
     )
     insert into dkim_pass (org_id, report_id, domain_id, signer, selector, messages, day)
     select $1, gen_random_uuid(), id, name, selector, 1, current_date from made cross
       join unnest($3::text[]) as selector`,
    [orgId, made, SELECTORS],
  );
}

async function checked(
  { database: { pool } }: Ledger,
  order: CheckerOrder,
  count: number,
  log: (line: string) => void,
) {
  const child = fork(PROGRAM, [JSON.stringify(order)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const begin = performance.now();
  for (let nextMs = begin + 15_000; ;) {
    const { rows } = await pool.query<{ checked: number; computed: number; held: number }>(
      `select (select count(*) from domain where checked_at is not null)::int as checked,
         (select count(*) from domain d join domain_health h on h.domain_id = d.id
           and h.computed_at > d.checked_at)::int as computed,
         (select count(*) from domain where check_planned)::int as held`,
    );
    const { checked: done, computed, held } = rows[0]!;
    if (done >= count && computed >= count) break;
    if (child.exitCode !== null) throw new Error(`the worker ended with ${child.exitCode}`);
    if (performance.now() > nextMs) {
      log(`  ${done} checked, ${held} in progress, the health of ${computed} computed`);
      nextMs += 15_000;
    }
    await sleep(250);
  }
  const seconds = (performance.now() - begin) / 1_000;
  child.send('usage');
  const [usage] = (await once(child, 'message')) as [Usage];
  child.disconnect();
  await once(child, 'exit');
  return { seconds, usage };
}

/** What is not found must not be the reason for being fast. */
async function expectAllVerified({ database: { pool } }: Ledger, count: number): Promise<void> {
  const { rows } = await pool.query<{ n: number }>(
    `select count(*)::int as n from domain where dmarc_state = 'verified' and tlsrpt_state = 'verified'`,
  );
  if (rows[0]!.n !== count) throw new Error(`${rows[0]!.n} of ${count} domains are verified`);
}

function sum(counts: { [type: string]: number }): number {
  return Object.values(counts).reduce((total, each) => total + each, 0);
}
