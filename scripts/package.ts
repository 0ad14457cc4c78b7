// Makes the npm package in dist/: the command bundled with its libraries, the migrations and the pages, as a tarball.
// `npm run build` runs it. Usage: node scripts/package.ts [folder]; with a folder, it is left there unpacked.
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { bundleCommand } from './package/bundle.ts';
import { packageManifest } from './package/manifest.ts';
import { thirdPartyNotices } from './package/third-party.ts';
import { root } from './checks/workspaces.ts';
import { runOpenly } from './steps.ts';

const COPIED = ['bin', 'migrations', 'scripts/node24.js', 'README.md', 'CHANGELOG.md', 'LICENSE', 'NOTICE'];

const [named] = process.argv.slice(2);
const folder = named === undefined ? join(root, 'dist', 'package') : resolve(named);
await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
const bundled = await bundleCommand(folder);
for (const path of COPIED) await cp(join(root, path), join(folder, path), { recursive: true });
await cp(join(root, 'deploy/systemd'), join(folder, 'systemd'), { recursive: true });
await writeFile(join(folder, 'THIRD-PARTY-NOTICES.txt'), await thirdPartyNotices(bundled));
await writeFile(join(folder, 'package.json'), `${JSON.stringify(await packageManifest(), null, 2)}\n`);
if (named === undefined) {
  const options = ['--pack-destination', join(root, 'dist'), '--loglevel', 'error'];
  process.exitCode = (await runOpenly({ name: 'npm pack', command: ['npm', 'pack', folder, ...options] })) ? 0 : 1;
}
