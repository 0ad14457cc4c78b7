import { findProgram, type FoundProgram } from './debian-package.ts';

/**
 * The Chromium of this machine; on Debian, root installs it when it is missing. Otherwise a sentence that says why not.
 */
export function findBrowserProgram(): Promise<FoundProgram> {
  return findProgram(['chromium', 'chromium-browser', 'google-chrome', 'chrome-headless-shell'], 'chromium');
}
