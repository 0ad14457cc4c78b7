// Writes screenshots of every page, light and dark, wide and narrow, from the samples in a temporary folder.
// Usage: npm run screens [-- FOLDER] [--docs]; `--docs` writes those of the README to docs/images instead.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findBrowserProgram } from '../packages/testkit/src/browser-program.ts';
import { chromium, type Browser, type Page } from 'playwright-core';
import { runCommand } from '../test/support/command.ts';
import { temporaryFolder } from '../test/support/folder.ts';
import { startInstance } from '../test/support/instance.ts';
import { samplePaths, type NamedPath } from '../test/support/sample-pages.ts';

const NARROW = { width: 390, height: 844 };
const WIDE = { width: 1440, height: 900 };
const README = { width: 1280, height: 800 };
/** Those that the README shows, and what each shows of the page: nothing is the top. */
const IN_README = ['overview', 'domain', 'senders', 'report', 'dns-dmarc'];
const QUALITY = 80;
const JUDGED_MS = 150_000;

const isForDocs = process.argv.includes('--docs');
const folder = process.argv.slice(2).find((word) => !word.startsWith('-')) ?? (isForDocs ? 'docs/images' : 'screens');

const { program, missing } = await findBrowserProgram();
if (!program) throw new Error(missing);
await mkdir(folder, { recursive: true });
using data = temporaryFolder();
const DATA_DIR = join(data.path, 'data');
const ledger = await startInstance(DATA_DIR, [], { DNS_SERVERS: '127.0.0.1:9', ALLOW_PRIVATE_ADDRESSES: 'on' });
const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
const browser = await chromium.launch({ executablePath: program, args });
try {
  const state = await signIn(browser);
  if (isForDocs) await writeForReadme(state);
  else await writeAll(state);
} finally {
  await browser.close();
  await ledger.end('SIGTERM');
  await runCommand(['migrate', '--status'], { DATA_DIR }); // the last one out stops the database
}

type State = Awaited<ReturnType<typeof signIn>>;

async function signIn(on: Browser) {
  const context = await on.newContext();
  const page = await context.newPage();
  await page.goto(ledger.signInUrl);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.waitForURL(`${ledger.apiUrl}/`);
  await waitUntilJudged(page);
  return await context.storageState();
}

/** Forged mail is named when the lookups of its addresses are done. */
async function waitUntilJudged(page: Page): Promise<void> {
  const end = Date.now() + JUDGED_MS;
  while (Date.now() < end) {
    await page.goto(`${ledger.apiUrl}/`);
    if ((await page.getByRole('heading', { name: /^Forged mail/ }).count()) > 0) return;
  }
  throw new Error('the samples were not judged in time');
}

async function writeAll(storageState: State): Promise<void> {
  for (const viewport of [WIDE, NARROW]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await browser.newContext({ storageState, viewport, colorScheme, locale: 'en-GB' });
      const page = await context.newPage();
      for (const { name, path } of await samplePaths(page, ledger.apiUrl)) {
        await page.goto(ledger.apiUrl + path);
        const file = join(folder, `${name}-${colorScheme}-${viewport.width}.png`);
        await page.screenshot({ path: file, fullPage: true });
      }
      await context.close();
    }
  }
}

async function writeForReadme(storageState: State): Promise<void> {
  const context = await browser.newContext({ storageState, viewport: README, locale: 'en-GB' });
  const page = await context.newPage();
  const paths = await samplePaths(page, ledger.apiUrl);
  for (const { name, path } of paths.filter((each: NamedPath) => IN_README.includes(each.name))) {
    await page.goto(ledger.apiUrl + path);
    const devtools = await context.newCDPSession(page);
    const { data: image } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
    await writeFile(join(folder, `${name}.webp`), Buffer.from(image, 'base64'));
  }
  await context.close();
}
