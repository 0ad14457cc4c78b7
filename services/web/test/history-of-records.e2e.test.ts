import { addDomain } from '@dmarc-ledger/ledger';
import { newId } from '@dmarc-ledger/vocabulary';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPagesWorld, type PagesWorld } from '../../../test/support/pages.ts';

let world: PagesWorld;

/** A policy that was reject, could not be read for an hour, and has been quarantine since; no answer comes now. */
const findings = [
  { hour: 1, status: 'ok', records: ['v=DMARC1; p=reject'], is_partial: false },
  { hour: 2, status: 'unknown', records: [], is_partial: true },
  { hour: 3, status: 'ok', records: ['v=DMARC1; p=quarantine'], is_partial: false },
  { hour: 4, status: 'unknown', records: [], is_partial: true },
  { hour: 5, status: 'ok', records: ['v=DMARC1; p=quarantine'], is_partial: false },
];
const at = (hour: number) => new Date(`2026-03-10T0${hour}:00:00Z`);

beforeAll(async () => {
  world = await openPagesWorld();
  const { orgId, database } = world;
  const { id } = await addDomain(database.db, orgId, 'one.example', {});
  const of = { org_id: orgId, domain_id: id, subject: 'dmarc', details: 'Said.' };
  for (const { hour, ...found } of findings)
    await database.db
      .insertInto('domain_check_change')
      .values({ ...of, ...found, id: newId(), at: at(hour), before: null })
      .execute();
  const newest = { status: 'ok', has_record: true, records: ['v=DMARC1; p=quarantine'] };
  await database.db
    .insertInto('domain_check')
    .values({ ...of, ...newest, checked_at: at(6), changed_at: at(5) })
    .execute();
});
afterAll(async () => await world[Symbol.asyncDispose]());

it('names what changed while no answer came, once, and calls no time without an answer a removal', async () => {
  const page = await world.signedIn();
  await page.goto('/domains/one.example/dns/dmarc');
  expect(await page.locator('del').allInnerTexts()).toEqual(['− v=DMARC1; p=reject']);
  expect(await page.locator('ins').allInnerTexts()).toEqual(['+ v=DMARC1; p=quarantine', '+ v=DMARC1; p=reject']);
  expect(await page.locator('main').innerText()).toMatch(/as it is since 10 Mar 2026, 03:00 UTC/);
});
