import { gzipSync } from 'node:zlib';
import { reportXml } from '@dmarc-ledger/testkit';
import type pg from 'pg';
import { expect, it } from 'vitest';
import { openLedger, type Ledger } from './ledger.ts';

/** More than the tables' first page; the long run overrides both. */
const REPORTS = Number(process.env['PLANNED_REPORTS'] ?? 120);
const RECORDS = Number(process.env['PLANNED_RECORDS'] ?? 10);
const AT_ONCE = 60;
const GROWING = new Set([
  'raw_message',
  'payload',
  'report',
  'report_revision',
  'report_record',
  'parse_warning',
  'unjudged_report',
  'source_domain_day',
  'source_domain',
  'source_total',
]);

/** Reads reports only for signatures of days to come, which hardly any report has. */
const RARE = 'mark-signatures';

/**
 * Names its rows by an array. A connection that plans it anew while the organization has some hundred deliveries, as
 * after many changes of schemas on the server, may read these by an index: until the first statistics, at 5,000 rows.
 */
const OF_FEW = 'finish-messages';

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Cond'?: string;
  'Recheck Cond'?: string;
  Plans?: PlanNode[];
}

it('finds rows by keys while a ledger grows from empty, without statistics', async () => {
  await using ledger = await openLedger('Postgres');
  await takeIn(ledger, 2); // every statement is planned while its tables are all but empty
  const { rows: now } = await ledger.database.pool.query<{ at: string }>('select clock_timestamp()::text as at');
  expect(widePlans(await keptPlans(ledger.database.pool, now[0]!.at))).toEqual([]);
  await takeIn(ledger, REPORTS);
  const plans = await keptPlans(ledger.database.pool, now[0]!.at);
  expect([...plans.keys()]).toEqual(
    expect.arrayContaining(['add-to-sources', 'add-to-source-domain-day', 'insert-reports', 'change-classes']),
  );
  expect(widePlans(plans).filter(({ name, node }) => name !== OF_FEW || node['Node Type'] === 'Seq Scan')).toEqual([]);
});

function widePlans(plans: ReadonlyMap<string, PlanNode>): { name: string; node: PlanNode }[] {
  return [...plans]
    .filter(([name]) => name !== RARE)
    .flatMap(([name, plan]) =>
      nodesOf(plan)
        .filter(isWide)
        .map((node) => ({ name, node })),
    );
}

/** Some of the mail fails, so that classes are given; every report has other addresses. */
async function takeIn(ledger: Ledger, count: number): Promise<void> {
  for (let made = 0; made < count; made += AT_ONCE) {
    const contents = Array.from({ length: Math.min(AT_ONCE, count - made) }, (_, i) =>
      gzipSync(reportXml({ id: `${count}-${made + i}`, records: recordsOf(made + i) })),
    );
    await ledger.handIn(...contents);
  }
  await ledger.settled();
}

function recordsOf(report: number) {
  return Array.from({ length: RECORDS }, (_, i) => {
    const number = report * RECORDS + i;
    const ip = `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;
    return i % 5 === 0 ? { ip, count: 1 } : { ip, count: 2, dkim: 'pass' as const, spf: 'pass' as const };
  });
}

/**
 * The plans that the connections keep of the statements that they prepared before `before`, by name. A connection
 * opened later plans with a few hundred rows, where two indexes cost the same; it plans anew at 5,000 (docs/decisions).
 */
async function keptPlans(pool: pg.Pool, before: string): Promise<Map<string, PlanNode>> {
  const clients = await Promise.all(Array.from({ length: pool.idleCount }, () => pool.connect()));
  const plans = new Map<string, PlanNode>();
  for (const client of clients) {
    const { rows } = await client.query<{ name: string; parameters: number }>(
      `select name, cardinality(parameter_types) as parameters from pg_prepared_statements
        where name <> '' and prepare_time < $1`,
      [before],
    );
    for (const { name, parameters } of rows) {
      const values = Array.from({ length: parameters }, () => 'null').join();
      await client.query('begin; set local plan_cache_mode = force_generic_plan');
      const { rows: found } = await client.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
        `explain (format json) execute "${name}"${values && `(${values})`}`,
      );
      await client.query('rollback');
      plans.set(name, found[0]!['QUERY PLAN'][0]!.Plan);
    }
    client.release();
  }
  return plans;
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

/** Reads rows of a table that grows by less than a key: all of them, or all of the organization. */
function isWide(node: PlanNode): boolean {
  if (!node['Node Type'].endsWith('Scan') || !GROWING.has(node['Relation Name'] ?? '')) return false;
  return !/\bAND\b/.test(node['Index Cond'] ?? node['Recheck Cond'] ?? '');
}
