import { chromium, type Browser, type BrowserContext, type BrowserContextOptions } from 'playwright-core';
import { inject } from 'vitest';

/** A real browser of one test file. */
export interface TestBrowser extends AsyncDisposable {
  /** A profile of its own, without cookies. */
  profile(options?: BrowserContextOptions): Promise<BrowserContext>;
}

let launched: Promise<Browser> | undefined;

/**
 * Profiles in headless Chromium, which the first file of a test process starts and the end of the process stops: a
 * start costs as much as a dozen pages. Disposing closes the profiles of this caller.
 */
export async function openBrowser(): Promise<TestBrowser> {
  const browser = await (launched ??= launch());
  const profiles: BrowserContext[] = [];
  return {
    async profile(options = {}) {
      const profile = await browser.newContext({ locale: 'en-GB', ...options });
      profiles.push(profile);
      return profile;
    },
    async [Symbol.asyncDispose]() {
      for (const profile of profiles) await profile.close();
    },
  };
}

/** As root, which is how containers run tests, it needs to run without its sandbox. */
async function launch(): Promise<Browser> {
  const { program, missing } = inject('browser');
  if (!program) throw new Error(missing);
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = await chromium.launch({ executablePath: program, args });
  browser.once('disconnected', () => (launched = undefined));
  return browser;
}
