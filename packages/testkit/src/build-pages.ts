import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const SCRIPT = fileURLToPath(new URL('../../web/build.ts', import.meta.url));

/** Bundles the pages from their sources, so that tests never see older ones. */
export async function buildPages(): Promise<void> {
  await promisify(execFile)(process.execPath, [SCRIPT]);
}
