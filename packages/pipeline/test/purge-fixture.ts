import { randomUUID } from 'node:crypto';
import { createOrganization } from '@dmarc-ledger/ledger';
import type { Database } from '@dmarc-ledger/schema';
import { DAY_ONE, reportXml } from '@dmarc-ledger/testkit';
import { sql } from 'kysely';
import { receive, settled, type Ledger } from './ledger.ts';

export type Place = Pick<Ledger, 'database' | 'blobs' | 'orgId'>;

const DAY = 86_400;
const OLD_DAYS = 500;

/** Reports of some domains, days and reporters that share addresses; the same for the same numbers. */
export function reportsOf(numbers: readonly number[]): Buffer[] {
  return numbers.map((i) =>
    reportXml({
      id: `r-${i}`,
      domain: ['alpha.example', 'beta.example', 'gamma.example'][i % 3],
      reporter: `Reporter ${i % 5}`,
      begin: DAY_ONE + (i % 7) * DAY,
      records: [
        { ip: `192.0.2.${i % 20}`, count: 1 + (i % 4), dkim: i % 2 ? 'pass' : 'fail' },
        { ip: `198.51.100.${i % 50}`, count: 3, reason: i % 4 ? undefined : 'mailing_list' },
        { ip: `2001:db8::${(i % 90).toString(16)}`, count: 2, spf: 'pass' },
      ],
    }),
  );
}

export const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);

/** The same ledger, and another organization in it. */
export async function another({ database, blobs }: Place): Promise<Place> {
  const { id: orgId } = await createOrganization(database.db, { name: randomUUID() });
  return { database, blobs, orgId };
}

/** Reads reports and waits until nothing is left to do. */
export async function given(place: Place, contents: readonly Buffer[]): Promise<string[]> {
  const ids = await receive(place, ...contents);
  await settled(place);
  return ids;
}

/** Ages everything that has been received by now. */
export async function grownOld({ database: { db }, orgId }: Place, days = OLD_DAYS): Promise<void> {
  const past = sql<Date>`now() - make_interval(days => ${days})`;
  await db.updateTable('report').set({ received_at: past }).where('org_id', '=', orgId).execute();
  await db.updateTable('raw_message').set({ received_at: past }).where('org_id', '=', orgId).execute();
}

/** Every figure that an organization is shown, with names instead of ids. */
export async function figuresOf({ database, orgId }: Place) {
  const figures: { [table: string]: unknown[] } = {};
  for (const [table, columns] of Object.entries(FIGURES)) {
    const { rows } = await sql<object>`
      select ${sql.raw(columns)}
      from ${sql.table(table)} t ${sql.raw(columns.includes('d.name') ? 'join domain d on d.org_id = t.org_id and d.id = t.domain_id' : '')}
        ${sql.raw(columns.includes('p.name') ? 'join reporter p on p.org_id = t.org_id and p.id = t.reporter_id' : '')}
      where t.org_id = ${orgId} and t.reports <> 0 order by ${sql.raw(columns)}`.execute(database.db);
    figures[table] = rows;
  }
  return figures;
}

const SUMS = 't.reports, t.messages, t.compliant, t.spf_pass, t.dkim_pass, t.forwarded';
const BY_SOURCE = `${SUMS}, t.suspicious, t.needs_review, t.first_seen, t.last_seen`;
const FIGURES = {
  source_domain_day: `t.source_ip, t.day, d.name, ${BY_SOURCE}`,
  source_domain: `t.source_ip, d.name, ${BY_SOURCE}`,
  source_total: `t.source_ip, t.domains, t.auth_failures, t.compliance, t.last_day, ${BY_SOURCE}`,
  domain_day: `d.name, t.day, ${SUMS}`,
  org_day: `t.day, ${SUMS}`,
  domain_total: 'd.name, t.reports, t.messages, t.compliant, t.spf_pass, t.dkim_pass, t.sources, t.failing_sources',
  org_total: 't.reports, t.messages, t.compliant, t.spf_pass, t.dkim_pass, t.domains, t.sources, t.failing_sources',
  report_count_day: 'd.name, t.end_day, t.begin_day, t.result, t.reports',
  org_report_count_day: 't.end_day, t.begin_day, t.result, t.reports',
  report_count_reporter: 'p.name, d.name, t.result, t.reports',
};

/** Deliveries that should have their bytes, but do not. */
export async function rowsWithoutBytes({ database, blobs }: { database: Database; blobs: Ledger['blobs'] }) {
  const kept = await database.db
    .selectFrom('raw_message')
    .select(['id', 'sha256'])
    .where('bytes_purged_at', 'is', null)
    .execute();
  const missing: string[] = [];
  for (const { id, sha256 } of kept)
    await blobs.get(sha256).catch(() => {
      missing.push(id);
    });
  return missing;
}
