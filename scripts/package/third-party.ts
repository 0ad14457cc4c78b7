import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../checks/workspaces.ts';

const LIBRARY = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//;
const LICENSE_FILE = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i;

/** The names, versions and licences of the libraries whose files are bundled: most licences ask to be passed on. */
export async function thirdPartyNotices(bundled: readonly string[]): Promise<string> {
  const folders = new Set(bundled.flatMap((path) => LIBRARY.exec(path)?.[1] ?? []));
  const notices = await Promise.all([...folders].toSorted().map(noticeOf));
  return ['Libraries that are part of this package, each under its own licence.', ...notices].join('\n\n');
}

async function noticeOf(folder: string): Promise<string> {
  const { name, version, license } = JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8'));
  const files = (await readdir(join(root, folder))).filter((file) => LICENSE_FILE.test(file)).toSorted();
  const texts = await Promise.all(files.map((file) => readFile(join(root, folder, file), 'utf8')));
  return [`${'-'.repeat(80)}\n${name} ${version} (${license})`, ...texts.map((text) => text.trim())].join('\n\n');
}
