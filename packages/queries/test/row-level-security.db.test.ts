import { findReports, findSources } from '@dmarc-ledger/queries';
import { inspectDatabase, migrate, openDatabase, openReads } from '@dmarc-ledger/schema';
import {
  cloneDatabase,
  type ClonedDatabase,
  emptyDatabase,
  filledDatabase,
  givenMany,
  watchReadsOf,
} from '@dmarc-ledger/testkit';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

const MANY = { reports: 300, recordsEach: 3, domains: 5, reporters: 4, sources: 60 };
const NOT_ALLOWED = { code: '42501' };
const ROLES = ['dmarc_ledger_api', 'dmarc_ledger_web'];
const page = { direction: 'desc', limit: 5, offset: 0 } as const;

let database: ClonedDatabase;
let own: string;
let foreign: string;

beforeAll(async () => {
  database = await cloneDatabase();
  [own, foreign] = [await givenMany(database.db, 'Own', MANY), await givenMany(database.db, 'Foreign', MANY)];
});
afterAll(() => database[Symbol.asyncDispose]());

/** Tables and views whose rows belong to organizations, and whether the API's role may read them. */
async function tenantRelations() {
  const { rows } = await sql<{ name: string; kind: string; protected: boolean; readable: boolean }>`
    select relname as name, relkind as kind, relrowsecurity and exists (select from pg_policy where polrelid = class.oid) as protected,
      has_table_privilege('dmarc_ledger_api', class.oid, 'SELECT') as readable
    from pg_class as class join pg_attribute as attribute on attribute.attrelid = class.oid
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm') and attname = 'org_id'
    order by relname`.execute(database.db);
  return rows;
}

describe('row-level security, behind which the API reads', () => {
  it('is on every table that has organizations', async () => {
    const tables = (await tenantRelations()).filter(({ kind }) => kind !== 'v');
    expect(tables.length).toBeGreaterThan(40);
    expect(tables.filter((table) => !table.protected)).toEqual([]);
  });

  it('shows of every relation that the API may read only rows of the organization that is asked for', async () => {
    const readable = (await tenantRelations()).filter(({ readable }) => readable);
    const filled: string[] = [];
    for (const { name } of readable) {
      const count = sql<{ own: number; foreign: number }>`select count(*) filter (where org_id = ${own}) as own,
        count(*) filter (where org_id = ${foreign}) as foreign from ${sql.table(name)}`;
      const [all] = (await count.execute(database.db)).rows;
      const seen = async (orgId: string) => (await count.execute(database.reads.of(orgId))).rows[0];
      expect([name, await seen(own)]).toEqual([name, { own: all!.own, foreign: 0 }]);
      expect([name, await seen(foreign)]).toEqual([name, { own: 0, foreign: all!.foreign }]);
      if (all!.own > 0 && all!.foreign > 0) filled.push(name);
    }
    expect(filled).toEqual(expect.arrayContaining(['report', 'report_record', 'own_report', 'own_source_address']));
    expect(filled.length).toBeGreaterThan(12);
  });

  it('shows no organization but the own, and of keys nothing that proves them', async () => {
    const reads = database.reads.of(own);
    expect(await reads.selectFrom('organization').select('id').execute()).toEqual([{ id: own }]);
    await expect(reads.selectFrom('api_key').select('secret_sha256').execute()).rejects.toMatchObject(NOT_ALLOWED);
  });

  it.each(['mailbox', 'delivery_target', 'raw_message', 'failure_report', 'app_user', 'outbox'] as const)(
    'does not let the API’s role read %s',
    async (table) => {
      const reading = database.reads.of(own).selectFrom(table).selectAll().execute();
      await expect(reading).rejects.toMatchObject(NOT_ALLOWED);
    },
  );

  it.each([
    sql`delete from report`,
    sql`update domain set monitored = true`,
    sql`insert into reporter (org_id, id, name) values (gen_random_uuid(), gen_random_uuid(), 'x')`,
    sql`truncate org_total`,
    sql`create table own_table ()`,
  ])('lets nothing be written', async (statement) => {
    await expect(statement.execute(database.reads.of(own))).rejects.toMatchObject(NOT_ALLOWED);
  });

  it('holds where a statement asks for another organization', async () => {
    const reads = database.reads.of(own);
    expect(await findReports(reads, foreign, {}, { ...page, sortBy: 'date_end' })).toEqual({ rows: [], total: 0 });
    const { total } = await findReports(reads, own, { search: 'reporter' }, { ...page, sortBy: 'org_name' });
    expect(total).toBe(MANY.reports);
    expect((await findSources(reads, foreign, {}, { ...page, sortBy: 'source_ip' })).rows).toEqual([]);
  });

  it('follows each statement when organizations share few connections', async () => {
    const reads = openReads(database.url, { connections: 2 });
    const seen = await Promise.all(
      Array.from({ length: 60 }, async (_, i) => {
        const orgId = i % 3 === 0 ? foreign : own;
        const { rows } = await sql<{ org_id: string }>`select distinct org_id from report`.execute(reads.of(orgId));
        return rows.length === 1 && rows[0]!.org_id === orgId;
      }),
    );
    expect(seen).toEqual(seen.map(() => true));
    await reads.close();
  });

  it('leaves no connection behind when it is closed', async () => {
    const reads = openReads(database.url, { applicationName: 'closing' });
    const connections = sql`select from pg_stat_activity where application_name = 'closing'`;
    await sql`select 1`.execute(reads.of(own));
    expect((await connections.execute(database.db)).rows).toHaveLength(1);
    await reads.close();
    await vi.waitFor(async () => expect((await connections.execute(database.db)).rows).toEqual([]), 30_000);
  });

  it('keeps searches on the indexes of their words', async () => {
    await using crowded = await filledDatabase();
    const orgId = crowded.neighbourId;
    await using watched = watchReadsOf(crowded, orgId);
    const reports = () => findReports(watched.db, orgId, { search: 'abcdef' }, { ...page, sortBy: 'date_end' });
    expect([...(await watched.readBy(reports))]).toContain('report_like_report_id');
    const sources = () => findSources(watched.db, orgId, { search: '10.0.1.' }, { ...page, sortBy: 'source_ip' });
    expect([...(await watched.readBy(sources))]).toContain('source_address_like');
  });
});

describe('the role of the API', () => {
  it('gets back what it may read where it was lost, as in a copy of a database', async () => {
    await using copy = await cloneDatabase();
    await sql`revoke all on all tables in schema public from dmarc_ledger_api`.execute(copy.db);
    await expect(sql`select from report`.execute(copy.reads.of(own))).rejects.toMatchObject(NOT_ALLOWED);
    await migrate(copy.url);
    await sql`select from report`.execute(copy.reads.of(own));
  });

  it('is reported as missing for a user that may not switch to it; everything else works', async () => {
    await using fixture = await ownedDatabase();
    const { url, name, server } = fixture;
    await migrate(url);
    expect(await inspectDatabase(fixture.db)).toMatchObject({ missingRoles: ROLES });
    const faults: Error[] = [];
    const reads = openReads(url, { onNoRole: (error) => faults.push(error) });
    await sql`select from report`.execute(reads.of(own));
    expect(faults).toMatchObject([NOT_ALLOWED]);

    await sql`grant dmarc_ledger_api to ${sql.id(name)}`.execute(server);
    await migrate(url);
    const walled = openReads(url, { onNoRole: (error) => faults.push(error) });
    await expect(sql`select secret from mailbox`.execute(walled.of(own))).rejects.toMatchObject(NOT_ALLOWED);
    expect(faults).toHaveLength(1);
    expect(await inspectDatabase(fixture.db)).toMatchObject({ missingRoles: ['dmarc_ledger_web'] });
    await Promise.all([reads.close(), walled.close()]);
  });

  it('is taken by a user that may grant it to itself', async ({ skip }) => {
    await using fixture = await ownedDatabase();
    const { rows } = await sql<{ version: string }>`
      select current_setting('server_version_num') as version`.execute(fixture.server);
    skip(Number(rows[0]!.version) < 160_000, 'PostgreSQL 16 and newer give this to a creator of roles');
    await sql`grant dmarc_ledger_api to ${sql.id(fixture.name)} with admin true, inherit false, set false`.execute(
      fixture.server,
    );
    expect(await inspectDatabase(fixture.db)).toMatchObject({ missingRoles: ROLES });
    await migrate(fixture.url);
    expect(await inspectDatabase(fixture.db)).toMatchObject({ missingRoles: ['dmarc_ledger_web'] });
    const reads = openReads(fixture.url, { onNoRole: (error) => expect.unreachable(error.message) });
    await expect(sql`select secret from mailbox`.execute(reads.of(own))).rejects.toMatchObject(NOT_ALLOWED);
    await reads.close();
  });
});

/** A database whose owner is a user of its own, and no superuser. */
async function ownedDatabase() {
  const empty = await emptyDatabase();
  const name = new URL(empty.url).pathname.slice(1);
  const server = openDatabase(empty.url);
  await sql`create role ${sql.id(name)} login password 'own'`.execute(server.db);
  await sql`alter database ${sql.id(name)} owner to ${sql.id(name)}`.execute(server.db);
  const url = Object.assign(new URL(empty.url), { username: name, password: 'own' }).href;
  const owned = openDatabase(url);
  return {
    url,
    name,
    db: owned.db,
    server: server.db,
    async [Symbol.asyncDispose]() {
      await owned.close();
      await sql`reassign owned by ${sql.id(name)} to current_user`.execute(server.db);
      await sql`drop owned by ${sql.id(name)}`.execute(server.db);
      await sql`drop role ${sql.id(name)}`.execute(server.db);
      await server.close();
      await empty[Symbol.asyncDispose]();
    },
  };
}
