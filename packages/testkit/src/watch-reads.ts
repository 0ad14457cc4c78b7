import { type Database, type Db, openReads, type Reads, type Tables } from '@dmarc-ledger/schema';
import { present } from '@dmarc-ledger/vocabulary';
import type { ClonedDatabase } from './clone-database.ts';
import { CompiledQuery, Kysely, PostgresDialect, type LogEvent } from 'kysely';

/** A database whose statements are explained. */
export interface WatchedReads {
  db: Db;
  /** The large tables that any statement of the work would scan. */
  readWhole: (work: () => Promise<unknown>) => Promise<string[]>;
  /** The indexes that the statements of the work use. */
  readBy: (work: () => Promise<unknown>) => Promise<Set<string>>;
  /** The rows of a table that the statements of the work find, in it or in an index, those that they skip included. */
  rowsOf: (table: string, work: () => Promise<unknown>) => Promise<number>;
  /** Of these rows, those that they read in the table itself. */
  visitedOf: (table: string, work: () => Promise<unknown>) => Promise<number>;
}

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  Plans?: Plan[];
  /** These are there when the statement was run: rows and filtered rows of one of so many runs, on average. */
  'Actual Rows'?: number;
  'Rows Removed by Filter'?: number;
  'Actual Loops'?: number;
  /** Of all runs of a scan of an index alone. */
  'Heap Fetches'?: number;
}

const EXPLAIN = 'explain (format json)';
const RUN = 'explain (analyze, timing off, format json)';
/** What needs no plan: plans themselves, and the begin and end of a snapshot. */
const PLANLESS = /^(?:explain |start transaction|commit|rollback)/;
const LARGE =
  /^(?:report|stored_record|report_count_day|source_(?!standing_count)\w+|domain_day|ip_enrichment|usage_hour|api_key)$/;

/** As the services read, which own the tables. */
export function watchReads({ pool }: Database): WatchedReads {
  const dialect = new PostgresDialect({ pool });
  return watch((log) => new Kysely<Tables>({ dialect, log }));
}

/** As the API reads for an organization: with row-level policies, where fewer conditions may use an index. */
export function watchReadsOf({ url }: Pick<ClonedDatabase, 'url'>, orgId: string): WatchedReads & AsyncDisposable {
  let reads: Reads | undefined;
  const watched = watch((log) => (reads = openReads(url, { log })).of(orgId));
  return { ...watched, [Symbol.asyncDispose]: async () => await reads?.close() };
}

function watch(open: (log: (event: LogEvent) => void) => Db): WatchedReads {
  const asked: CompiledQuery[] = [];
  const db = open(({ query }) => void (PLANLESS.test(query.sql) || asked.push(query)));
  const planOf = async ({ sql, parameters }: CompiledQuery, explain: string) => {
    const { rows } = await db.executeQuery<{ 'QUERY PLAN': { Plan: Plan }[] }>(
      CompiledQuery.raw(`${explain} ${sql}`, [...parameters]),
    );
    return present(rows[0]?.['QUERY PLAN'][0]).Plan;
  };
  async function plansOf(work: () => Promise<unknown>, explain = EXPLAIN) {
    asked.length = 0;
    await work();
    if (asked.length === 0) throw new Error('nothing was read');
    return await Promise.all(
      asked.map(async (query) => ({ sql: query.sql, nodes: [...nodesOf(await planOf(query, explain))] })),
    );
  }
  return {
    db,
    async readWhole(work) {
      const found: string[] = [];
      for (const { sql, nodes } of await plansOf(work))
        for (const node of nodes)
          if (node['Node Type'].includes('Seq Scan') && LARGE.test(node['Relation Name'] ?? ''))
            found.push(`${node['Relation Name']}: ${sql}`);
      return found;
    },
    async readBy(work) {
      const plans = await plansOf(work);
      return new Set(plans.flatMap(({ nodes }) => nodes.flatMap((node) => node['Index Name'] ?? [])));
    },
    rowsOf: async (table, work) => (await scansOf(table, work)).reduce((sum, node) => sum + foundBy(node), 0),
    visitedOf: async (table, work) =>
      (await scansOf(table, work)).reduce((sum, node) => sum + (node['Heap Fetches'] ?? foundBy(node)), 0),
  };

  async function scansOf(table: string, work: () => Promise<unknown>) {
    const plans = await plansOf(work, RUN);
    return plans.flatMap(({ nodes }) => nodes).filter((node) => node['Relation Name'] === table);
  }
}

function foundBy(node: Plan): number {
  return ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)) * (node['Actual Loops'] ?? 1);
}

function* nodesOf(plan: Plan): Generator<Plan> {
  yield plan;
  for (const below of plan.Plans ?? []) yield* nodesOf(below);
}
