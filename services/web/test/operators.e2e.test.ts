import { addOperator, putInstallationState, removeOperator } from '@dmarc-ledger/ledger';
import { findLedgerState, warning } from '@dmarc-ledger/pipeline';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPagesWorld, type PagesWorld } from '../../../test/support/pages.ts';

let world: PagesWorld;
const PATH = '/settings/installation';
const MARKUP = '<img src=x onerror="globalThis.pwned=1">';

beforeAll(async () => {
  world = await openPagesWorld();
});
afterAll(async () => await world[Symbol.asyncDispose]());

it('shows the state of the installation to operators alone', async () => {
  const { database } = world;
  const page = await world.signedIn();
  expect((await page.goto(PATH))?.status()).toBe(403);
  expect(await page.textContent('main')).toContain('Only operators');
  expect(await page.getByRole('link', { name: 'Installation' }).count()).toBe(0);

  await addOperator(database.db, world.owner);
  await page.goto('/');
  await page.getByRole('link', { name: 'Installation' }).click();
  expect(await page.textContent('main')).toContain('Nothing was found yet by the scheduler');
  await putInstallationState(database.db, 'ledger', await findLedgerState(database));
  await putInstallationState(database.db, 'doctor', [warning('DNS', `No answer ${MARKUP}`, 'Check DNS_SERVERS.')]);
  await page.reload();
  const text = (await page.textContent('main')) ?? '';
  for (const part of ['One thing needs you', 'PostgreSQL', 'No delivery is quarantined', 'Check DNS_SERVERS', MARKUP])
    expect(text).toContain(part);
  expect(await page.evaluate('globalThis.pwned')).toBeUndefined();
  const { password } = new URL(database.url);
  expect(text).not.toContain(password || 'postgres://');

  await sql`update installation_state set found_at = now() - interval '10 minutes'`.execute(database.db);
  await page.reload();
  expect(await page.getByRole('alert').allTextContents()).toEqual([
    'Nothing new for more than five minutes: check that the scheduler runs, and its log.',
  ]);
  await removeOperator(database.db, world.owner);
  expect((await page.goto(PATH))?.status()).toBe(403);
});

it('makes nobody an operator by their role, and by no right of the pages', async () => {
  for (const role of ['owner', 'admin', 'analyst', 'viewer', 'integration'] as const) {
    const page = await world.signedIn(`${role}@operators.example`, role);
    expect((await page.goto(PATH))?.status()).toBe(403);
    await page.context().close();
  }
  const { db } = world.database;
  const rights = await sql<{ right: string; may: boolean }>`
    select r as right, has_table_privilege('dmarc_ledger_web', 'operator', r) as may
    from unnest(array['select', 'insert', 'update', 'delete']) r`.execute(db);
  expect(rights.rows.filter(({ may }) => may)).toEqual([{ right: 'select', may: true }]);
});
