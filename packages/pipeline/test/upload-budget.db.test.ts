import { createOrganization, endOrganization, leaveOrganization, openClaimant, removeRows } from '@dmarc-ledger/ledger';
import { cloneDatabase } from '@dmarc-ledger/testkit';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { openUploadBudget } from '../src/index.ts';

it('an upload that ends after its organization was removed holds up no other', async () => {
  await using database = await cloneDatabase();
  const claimant = openClaimant(database);
  const budget = openUploadBudget({ database, claimant });
  const [leaving, staying] = await Promise.all(
    ['Leaving', 'Staying'].map((name) => createOrganization(database.db, { name })),
  );

  const upload = await budget.open(leaving!.id, 1_000);
  await leaveOrganization(database, leaving!.id);
  while ((await removeRows(database.db, leaving!.id)) > 0);
  expect(await endOrganization(database, leaving!.id, 0)).toBe(true);
  await upload.took(500);
  upload.delivered();
  await upload.close();

  const next = await budget.open(staying!.id, 2_000);
  next.delivered();
  await next.close();
  const { rows } = await sql<object>`select org_id, bytes, deliveries from upload_hour`.execute(database.db);
  expect(rows).toEqual([{ org_id: staying!.id, bytes: 0, deliveries: 1 }]);
  claimant.release();
});
