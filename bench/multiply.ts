import pg from 'pg';

/** A ledger of one period becomes one of so many: the earlier ones hold the same reports, received so much earlier. */
export const PERIODS = 10;
/** No day may be of two periods, so the first one has reports of no more days. */
export const PERIOD_DAYS = 36;

/** Each period has rows of its own in these. */
const REPEATED = [
  'raw_message',
  'payload',
  'report',
  'report_revision',
  'stored_record',
  'parse_warning',
  'dkim_pass',
  'dkim_failure',
  'source_domain_day',
  'domain_day',
  'org_day',
  'report_count_day',
  'org_report_count_day',
];
/** These sum up all days. */
const SUMMED = ['source_domain', 'source_total', 'domain_total', 'org_total', 'report_count_reporter', 'dkim_selector'];
/** What repeating reports does not make more. */
const UNCHANGED = ['domains', 'sources', 'failing_sources', 'changes', 'snapshot_marks', 'records_stored'];
const SETTINGS = `set timezone = 'UTC'; set statement_timeout = 0; set session_replication_role = replica;
  set synchronous_commit = off; set work_mem = '256MB'; set maintenance_work_mem = '1GB'`;

interface Column {
  name: string;
  type: string;
}

/** Repeats what a ledger holds, with ids, hashes and days of each period's own. The audit of the product proves it. */
export async function multiply(url: string, log: (line: string) => void): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(SETTINGS);
    for (const table of REPEATED) {
      const begun = performance.now();
      const rows = await repeat(client, table);
      log(`  ${table}: ${rows.toLocaleString('en-US')} rows in ${((performance.now() - begun) / 1_000).toFixed(0)} s`);
    }
    for (const table of SUMMED) await grow(client, table);
    await client.query('vacuum (analyze)');
  } finally {
    await client.end();
  }
}

/** The oldest period first. Indexes are built when all rows are there, which takes a fraction of the time. */
async function repeat(client: pg.Client, table: string): Promise<number> {
  const columns = await columnsOf(client, table);
  const { rows: indexes } = await client.query<{ drop: string; make: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
       format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as make
     from pg_constraint where conrelid = $1::regclass and contype in ('p', 'u')
     union all
     select format('drop index %s', indexrelid::regclass), pg_get_indexdef(indexrelid) from pg_index
     where indrelid = $1::regclass and not exists (select from pg_constraint where conindid = indexrelid)`,
    [table],
  );
  for (const { drop } of indexes) await client.query(drop);
  await client.query(`create temporary table period as table ${table}`);
  let count = 0;
  for (let back = PERIODS - 1; back > 0; back -= 1) {
    const values = columns.map((column) => earlier(table, column, back)).join(', ');
    const inserted = await client.query(
      `insert into ${table} (${columns.map(({ name }) => name).join(', ')}) select ${values} from period`,
    );
    count += inserted.rowCount ?? 0;
  }
  await client.query('drop table period');
  for (const { make } of indexes) await client.query(make);
  return count;
}

/** What a column holds in the row of so many periods ago. */
function earlier(table: string, { name, type }: Column, back: number): string {
  const days = PERIOD_DAYS * back;
  if (table === 'report' && name === 'report_id') return `report_id || '-${back}'`;
  if (table === 'report' && name === 'metadata')
    return `metadata || jsonb_build_object('reportId', report_id || '-${back}', 'reportIdKey', report_id || '-${back}',
      'begin', (metadata ->> 'begin')::bigint - ${days * 86_400},
      'end', (metadata ->> 'end')::bigint - ${days * 86_400})`;
  if (name === 'revision') return 'gen_random_uuid()';
  if (type === 'uuid' && ['id', 'report_id', 'message_id'].includes(name)) return earlierId(name, days);
  if (type === 'bytea') return `sha256(${name} || int4send(${back}))`;
  if (type === 'date') return `${name} - ${days}`;
  return type.startsWith('timestamp') ? `${name} - interval '${days} days'` : name;
}

/** The first twelve digits of an id are the time when it was made (UUIDv7). */
function earlierId(name: string, days: number): string {
  const digits = `replace(${name}::text, '-', '')`;
  const time = `('x' || left(${digits}, 12))::bit(48)::bigint - ${days * 86_400_000}::bigint`;
  return `(lpad(to_hex(${time}), 12, '0') || substr(${digits}, 13))::uuid`;
}

async function grow(client: pg.Client, table: string): Promise<void> {
  const changes = (await columnsOf(client, table)).flatMap(({ name, type }) => {
    if (name === 'first_day') return [`first_day = first_day - ${PERIOD_DAYS * (PERIODS - 1)}`];
    if (name === 'first_seen') return [`first_seen = first_seen - interval '${PERIOD_DAYS * (PERIODS - 1)} days'`];
    const isSum = type === 'bigint' && !UNCHANGED.includes(name);
    return isSum ? [`${name} = ${name} * ${PERIODS}`] : [];
  });
  await client.query(`update ${table} set ${changes.join(', ')}`);
}

async function columnsOf(client: pg.Client, table: string): Promise<Column[]> {
  const { rows } = await client.query<Column>(
    `select attname::text as name, format_type(atttypid, null) as type from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
    [table],
  );
  return rows;
}
