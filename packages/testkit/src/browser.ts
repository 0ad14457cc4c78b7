import { chromium, type Browser, type BrowserContext, type BrowserContextOptions } from 'playwright-core';
import { inject } from 'vitest';

/** A real browser of one test file. */
export interface TestBrowser extends AsyncDisposable {
  /** A profile of its own, without cookies. */
  profile(options?: BrowserContextOptions): Promise<BrowserContext>;
}

/** Starts headless Chromium. As root, which is how containers run tests, it needs to run without its sandbox. */
export async function openBrowser(): Promise<TestBrowser> {
  const { program, missing } = inject('browser');
  if (!program) throw new Error(missing);
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser: Browser = await chromium.launch({ executablePath: program, args });
  return {
    profile: async (options = {}) => await browser.newContext({ locale: 'en-GB', ...options }),
    [Symbol.asyncDispose]: async () => await browser.close(),
  };
}
