import { findProgram, type FoundProgram } from './debian-package.ts';

/** Chromium without a window system takes a third of the processor time that one with it takes for the same pages. */
const SHELLS = ['chromium-headless-shell', 'chrome-headless-shell'];
const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome'];

/**
 * The headless shell of Chromium; on Debian, root installs it when it is missing. Where there is none, Chromium itself;
 * otherwise a sentence that says why not.
 */
export async function findBrowserProgram(): Promise<FoundProgram> {
  const shell = await findProgram(SHELLS, 'chromium-headless-shell');
  return shell.program ? shell : await findProgram(BROWSERS, 'chromium');
}
