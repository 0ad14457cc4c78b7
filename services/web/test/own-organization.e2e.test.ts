import { createOrganization, markSamples } from '@dmarc-ledger/ledger';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPagesWorld, type PagesWorld } from '../../../test/support/pages.ts';

let world: PagesWorld;
beforeAll(async () => {
  world = await openPagesWorld();
  await markSamples(world.database.db, world.orgId);
});
afterAll(async () => await world[Symbol.asyncDispose]());

async function postFrom(page: Page, origin = world.origin) {
  const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
  const request = { method: 'POST', headers: { cookie, origin }, redirect: 'manual' } as const;
  return (await fetch(`${world.origin}/orgs/own`, request)).status;
}

const organizations = async () =>
  (await world.database.db.selectFrom('organization').select('name').orderBy('name').execute()).map(({ name }) => name);

it('gives the owner of the samples an organization of their own with one click, and the same one ever after', async () => {
  const page = await world.signedIn();
  await page.getByRole('button', { name: 'Use my own reports' }).click();
  await page.waitForURL(`${world.origin}/settings/ingest`);
  expect(await page.textContent('.who')).toContain('My own reports');
  expect(await Promise.all([postFrom(page), postFrom(page), postFrom(page)])).toEqual([303, 303, 303]);
  expect(await organizations()).toEqual(['Example Ltd', 'My own reports']);

  await page.goto('/');
  expect(await page.getByRole('button', { name: 'Use my own reports' }).count()).toBe(0);
  await page.goto('/orgs');
  await page.getByRole('button', { name: 'Example Ltd' }).click();
  await page.getByRole('button', { name: 'Use my own reports' }).click();
  await page.waitForURL(`${world.origin}/settings/ingest`);
  const later = await world.signedIn();
  expect(await later.textContent('.who')).toContain('My own reports');
});

it('gives each owner one of their own, also at the same time', async () => {
  const [first, second] = await Promise.all([
    world.signedIn('second@example.com', 'owner'),
    world.signedIn('third@example.com', 'owner'),
  ]);
  expect(await Promise.all([postFrom(first), postFrom(second), postFrom(first)])).toEqual([303, 303, 303]);
  expect(await organizations()).toEqual(['Example Ltd', 'My own reports', 'My own reports 2', 'My own reports 3']);
});

it('creates none for another role, for owners of other organizations, and for a form of another site', async () => {
  const { id: plain } = await createOrganization(world.database.db, { name: 'Plain Ltd' });
  const before = await organizations();
  const admin = await world.signedIn('admin@example.com', 'admin');
  expect(await admin.getByRole('button', { name: 'Use my own reports' }).count()).toBe(0);
  expect(await postFrom(admin)).toBe(404);
  const owner = await world.signedIn('plain@example.com', 'owner', plain);
  expect(await postFrom(owner)).toBe(303); // to the one that they own
  const fresh = await world.signedIn('fresh@example.com', 'owner');
  expect(await postFrom(fresh, 'https://attacker.example')).toBe(403);
  expect(await organizations()).toEqual(before);
});
