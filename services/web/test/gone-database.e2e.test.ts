import { addUser, createLink, createOrganization, ensurePerson } from '@dmarc-ledger/ledger';
import { openReads, webRole } from '@dmarc-ledger/schema';
import { cloneDatabase, faultProxy } from '@dmarc-ledger/testkit';
import { openBrowser } from '@dmarc-ledger/testkit/browser';
import { makeWeb } from '@dmarc-ledger/web';
import { expect, it } from 'vitest';

it('says so in plain words when the database falls silent, before the connection is given up', async () => {
  await using database = await cloneDatabase();
  const url = new URL(database.url);
  await using line = await faultProxy(Number(url.port));
  const { id } = await createOrganization(database.db, { name: 'Example Ltd' });
  const email = 'owner@example.com';
  await addUser(database.db, id, { email, role: 'owner' });
  const { token } = await createLink(database.db, (await ensurePerson(database.db, email)).id, 'sign_in');
  url.port = String(line.port);
  const reads = openReads(url.href, { role: webRole, statementTimeoutMs: 200 });
  const faults: unknown[] = [];
  const web = await makeWeb({
    reads,
    heavyReads: reads,
    ingestUrl: undefined,
    onFault: (error) => faults.push(error),
    onSignIn: () => undefined,
  });
  await using browser = await openBrowser();
  try {
    const origin = await web.listen({ host: '127.0.0.1', port: 0 });
    const page = await (await browser.profile({ baseURL: origin })).newPage();
    await page.goto(`/sign-in/link?token=${token}`);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL(`${origin}/`);
    line.toxic.blackHole = true;
    const begun = Date.now();
    const answer = await page.goto('/domains');
    expect(answer?.status()).toBe(503);
    expect(Date.now() - begun).toBeLessThan(9_000);
    expect(await page.locator('h1').innerText()).toBe('The database did not answer. Try again in a moment');
    expect(faults.length).toBeGreaterThan(0);
  } finally {
    line.cutAll();
    await web.close();
    await reads.close();
  }
}, 60_000);
