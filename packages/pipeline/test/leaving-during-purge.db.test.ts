import { leaveOrganization } from '@dmarc-ledger/ledger';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { purgeOrganization } from '../src/index.ts';
import { openLedger } from './ledger.ts';
import { given, grownOld, reportsOf, type Place } from './purge-fixture.ts';

it('an organization removed during its daily purge is planned again within minutes, not the next day', async () => {
  await using ledger = await openLedger('Postgres');
  const { database, orgId } = ledger;
  await given(ledger, reportsOf([1]));
  await grownOld(ledger);
  const leave = async () => await leaveOrganization(database, orgId);
  const blobs = { ...ledger.blobs, delete: leave } as unknown as Place['blobs'];
  const retention = { days: 400, rawDays: 90, failureReportDays: 30 };
  await purgeOrganization({ database, blobs, retention }, { orgId });
  const { rows } = await sql<{ left: boolean; soon: boolean }>`
    select removed_at is not null as left, purge_due_at < now() + interval '1 hour' as soon
    from organization where id = ${orgId}`.execute(database.db);
  expect(rows).toEqual([{ left: true, soon: true }]);
});
