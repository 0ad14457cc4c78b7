import {
  createKey,
  createOrganization,
  identifyCaller,
  leaveOrganization,
  setOrganization,
} from '@dmarc-ledger/ledger';
import { cloneDatabase } from '@dmarc-ledger/testkit';
import { sql } from 'kysely';
import { expect, it } from 'vitest';

it('an organization that is being removed cannot be resumed by a change that began before', async () => {
  await using database = await cloneDatabase();
  const { db } = database;
  const { id: orgId } = await createOrganization(db, { name: 'Leaving' });
  const { key } = await createKey(db, orgId, { scope: 'read' });
  const waiting = async () => {
    const { rows } =
      await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
        db,
      );
    return rows.length;
  };
  const [left, resumed] = await db.transaction().execute(async (trx) => {
    await sql`lock table mailbox in exclusive mode`.execute(trx);
    const leaving = leaveOrganization(database, orgId);
    await expect.poll(waiting).toBe(1);
    const resuming = setOrganization(database, orgId, { name: 'Leaving', suspended: false });
    await expect.poll(waiting).toBe(2);
    return [leaving, resuming.catch((error: unknown) => error)] as const;
  });
  await left;
  expect(await resumed).toMatchObject({ code: 'organization_unknown' });
  expect(await identifyCaller(db, key)).toBeUndefined();
  await createOrganization(db, { name: 'Leaving' });
});
