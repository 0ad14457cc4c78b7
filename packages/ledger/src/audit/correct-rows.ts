import type { Session } from '@dmarc-ledger/schema';
import type { Day } from '@dmarc-ledger/vocabulary';
import { CompiledQuery } from 'kysely';
import { expectationOf } from './expectations.ts';

/**
 * Corrects the rows of an organization's rollup that differ from the data they are computed from. A key is corrected in
 * three steps: ensure that its row exists, lock it, and compute it in a later statement. A concurrent transaction that
 * has not reached this row yet adds its part after us; one that reached it before has committed.
 */
export async function correctRows(session: Session, orgId: string, table: string, key: string[]): Promise<void> {
  const { columns, expected } = expectationOf(table);
  const wrong = await wrongKeys(session, orgId, table, key);
  if (wrong.length === 0) return;
  const sums = columns.filter((column) => !key.includes(column));
  const keys = `json_populate_recordset(null::${table}, $2::json) k`;
  const isSame = (other: string) => key.map((column) => `${other}.${column} = k.${column}`).join(' and ');
  const named = key.map((column) => `k.${column}`).join(', ');
  const values = [orgId, JSON.stringify(wrong)];
  await session.query(
    `insert into ${table} as t (org_id, ${columns.join(', ')})
     select $1, ${columns.map((column) => (sums.includes(column) ? '0' : `k.${column}`)).join(', ')} from ${keys}
       order by ${named}
     on conflict (org_id, ${key.join(', ')}) do update set reports = t.reports`,
    values,
  );
  await session.query(
    `update ${table} t set ${sums.map((column) => `${column} = coalesce(e.${column}, 0)`).join(', ')}
     from ${keys} left join (${expected}) e (${columns.join(', ')}) on ${isSame('e')} where t.org_id = $1
       and ${isSame('t')}`,
    values,
  );
  await session.query(
    `delete from ${table} t using ${keys} where t.org_id = $1 and ${isSame('t')} and t.reports = 0`,
    values,
  );
}

/** The keys whose row is missing, superfluous or wrong. */
async function wrongKeys({ db }: Session, orgId: string, table: string, key: string[]): Promise<object[]> {
  const { columns, expected, held } = expectationOf(table);
  const { rows } = await db.executeQuery<object>(
    CompiledQuery.raw(
      `with expected as (select * from (${expected}) e (${columns.join(', ')})), held as (${held})
       select distinct ${key.map((column) => `${column}::text`).join(', ')} from (
         (table expected except all table held) union all (table held except all table expected)) differing`,
      [orgId],
    ),
  );
  return rows;
}

/** The first day whose score would have been computed from wrong sums. */
export async function firstWrongDay(
  { db }: Session,
  orgId: string,
  table: 'domain_day' | 'org_day',
): Promise<Day | null> {
  const { columns, expected, held } = expectationOf(table);
  const scored = columns.filter((column) => column !== 'forwarded').join(', ');
  const text = `
    with expected as (select ${scored} from (${expected}) e (${columns.join(', ')})),
      held as (select ${scored} from (${held}) h)
    select min(day)::text as day from (
      (table expected except all table held) union all (table held except all table expected)) differing`;
  const { rows } = await db.executeQuery<{ day: Day | null }>(CompiledQuery.raw(text, [orgId]));
  return rows[0]?.day ?? null;
}
