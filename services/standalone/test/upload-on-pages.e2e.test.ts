import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openBrowser } from '@dmarc-ledger/testkit/browser';
import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { openCommandHost } from '../../../test/support/command.ts';
import { temporaryFolder } from '../../../test/support/folder.ts';
import { startInstance } from '../../../test/support/instance.ts';
import { makeCorpus } from '../../../test/support/synthetic.ts';

it('takes reports in that a person drops on the page, and shows their first figure', async () => {
  using folder = temporaryFolder();
  using host = openCommandHost();
  const DATA_DIR = join(folder.path, 'data');
  const ledger = await startInstance(DATA_DIR, ['--no-samples'], { ENRICHMENT: 'off' });
  await using stack = new AsyncDisposableStack();
  stack.defer(async () => {
    await ledger.end('SIGTERM');
    await host.run(['migrate', '--status'], { DATA_DIR }); // the last one out stops the database
  });
  await using browser = await openBrowser();
  const page = await (await browser.profile()).newPage();
  await page.goto(ledger.signInUrl);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('link', { name: 'Use my own reports' }).click();

  const corpus = makeCorpus(1, 3);
  await dropOn(page.getByRole('heading', { name: 'Intake' }), corpus.files);
  await page.waitForURL(/uploaded=1/);
  await expect
    .poll(
      async () => {
        await page.goto(`${ledger.apiUrl}/reports`);
        return await page.locator('tbody tr').count();
      },
      { timeout: 60_000, interval: 500 },
    )
    .toBeGreaterThan(0);

  await page.goto(`${ledger.apiUrl}/settings/ingest`);
  const broken = join(folder.path, 'broken.xml');
  writeFileSync(broken, 'this is no report');
  await page.getByLabel(/files/).setInputFiles(broken);
  await page.getByRole('button', { name: 'Upload' }).click();
  await page.waitForURL(/uploaded=1/);
  await expect
    .poll(
      async () => {
        await page.reload();
        return await page.getByText('refused').count();
      },
      { timeout: 60_000, interval: 500 },
    )
    .toBeGreaterThan(0);
});

/** Drops files as a mouse does. The heading stands beside the form: missing its frame must not lose the page. */
async function dropOn(target: Locator, files: readonly { bytes: string | Uint8Array }[]): Promise<void> {
  const encoded = files.map(({ bytes }) => Buffer.from(bytes).toString('base64'));
  const dataTransfer = await target.page().evaluateHandle<unknown>(`(() => {
    const carried = new DataTransfer();
    ${JSON.stringify(encoded)}.forEach((text, index) => {
      const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
      carried.items.add(new File([bytes], 'report-' + index, { type: 'application/octet-stream' }));
    });
    return carried;
  })()`);
  await target.dispatchEvent('dragover', { dataTransfer });
  expect(await target.page().locator('form.drop.over').count()).toBe(1);
  await target.dispatchEvent('drop', { dataTransfer });
}
