import { join } from 'node:path';
import { openBrowser } from '@dmarc-ledger/testkit/browser';
import { expect, it } from 'vitest';
import { openCommandHost } from '../../../test/support/command.ts';
import { temporaryFolder } from '../../../test/support/folder.ts';
import { startInstance } from '../../../test/support/instance.ts';
import { makeCorpus } from '../../../test/support/synthetic.ts';

const patience = { timeout: 60_000, interval: 500 };

it('leads from the samples to the first figure of one’s own, by one click and a file dropped on the page', async () => {
  using folder = temporaryFolder();
  using host = openCommandHost();
  const DATA_DIR = join(folder.path, 'data');
  const ledger = await startInstance(DATA_DIR, [], { ENRICHMENT: 'off', DNS_SERVERS: '127.0.0.1:9' });
  await using stack = new AsyncDisposableStack();
  stack.defer(async () => {
    await ledger.end('SIGTERM');
    await host.run(['migrate', '--status'], { DATA_DIR }); // the last one out stops the database
  });
  await using browser = await openBrowser();
  const page = await (await browser.profile({ baseURL: ledger.apiUrl })).newPage();
  await page.goto(ledger.signInUrl);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Use my own reports' }).click();
  await page.waitForURL(/\/settings\/ingest$/);

  const [report] = makeCorpus(1, 1).files;
  if (!report) throw new Error('the corpus has no report');
  const dropped = await page.evaluateHandle(
    (bytes) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([new Uint8Array(bytes)], 'report.xml'));
      return transfer;
    },
    [...report.bytes],
  );
  await page.locator('form[data-upload]').dispatchEvent('drop', { dataTransfer: dropped });
  await page.waitForURL(/uploaded=1/);
  const reports = async () => {
    await page.goto('/reports?days=365');
    return await page.locator('tbody tr').count();
  };
  await expect.poll(reports, patience).toBe(1);
  await page.goto('/domains');
  expect(await page.textContent('main')).not.toContain('tidewater.example');

  await page.goto('/orgs');
  await page.getByRole('button', { name: 'My organization' }).click();
  await page.goto('/domains');
  expect(await page.textContent('main')).toContain('tidewater.example');
});
