import type { Database, Db, Tables } from '@dmarc-ledger/db';
import { Kysely, PostgresDialect } from 'kysely';

/** A database whose statements are looked at. */
export interface WatchedReads {
  db: Db;
  /** The large tables that any statement of the work would read from end to end. */
  readWhole: (work: () => Promise<unknown>) => Promise<string[]>;
}

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  Plans?: Plan[];
}

const LARGE =
  /^(?:report|report_record|report_count_day|source_(?!standing_count)\w+|domain_day|ip_enrichment|usage_hour|api_key)$/;

export function watchReads({ pool }: Database): WatchedReads {
  const asked: { sql: string; parameters: readonly unknown[] }[] = [];
  const dialect = new PostgresDialect({ pool });
  const db = new Kysely<Tables>({ dialect, log: ({ query }) => void asked.push(query) });
  const planOf = async ({ sql, parameters }: (typeof asked)[number]) => {
    const { rows } = await pool.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(`explain (format json) ${sql}`, [
      ...parameters,
    ]);
    return rows[0]!['QUERY PLAN'][0]!.Plan;
  };
  return {
    db,
    async readWhole(work) {
      asked.length = 0;
      await work();
      if (asked.length === 0) throw new Error('nothing was read');
      const found: string[] = [];
      for (const query of asked.slice())
        for (const node of nodesOf(await planOf(query)))
          if (node['Node Type'].includes('Seq Scan') && LARGE.test(node['Relation Name'] ?? ''))
            found.push(`${node['Relation Name']}: ${query.sql}`);
      return found;
    },
  };
}

function* nodesOf(plan: Plan): Generator<Plan> {
  yield plan;
  for (const below of plan.Plans ?? []) yield* nodesOf(below);
}
