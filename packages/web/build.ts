// Bundles the pages: TSX for the server, and the scripts and styles that browsers load, each named by its content.
// About 150 ms. Then builds the help, when its text has changed: about 2 s. Usage: node packages/web/build.ts
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { buildHelp } from './help/build-help.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const dist = join(here, 'dist');
// Several processes may build at a time: each writes a folder of its own, and files are renamed into place.
const own = join(here, `.build-${process.pid}`);

const browser = await build({
  entryPoints: [join(here, 'browser/app.ts'), join(here, 'styles/app.css')],
  entryNames: '[name].[hash]',
  outdir: join(own, 'assets'),
  outbase: here,
  bundle: true,
  minify: true,
  format: 'esm',
  target: ['es2022', 'chrome120', 'firefox120', 'safari17'],
  metafile: true,
  logLevel: 'warning',
});
const names = Object.keys(browser.metafile.outputs).map((path) => path.slice(path.lastIndexOf('/') + 1));
const nameOf = (extension: string) => names.find((name) => name.endsWith(extension)) ?? '';
await build({
  entryPoints: [join(here, 'src/index.ts')],
  outfile: join(own, 'server.js'),
  bundle: true,
  packages: 'external',
  platform: 'node',
  target: 'node24',
  format: 'esm',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  sourcemap: 'linked',
  define: { ASSETS: JSON.stringify({ script: nameOf('.js'), style: nameOf('.css') }) },
  logLevel: 'warning',
});

await mkdir(join(dist, 'assets'), { recursive: true });
const assets = join(own, 'assets');
for (const name of await readdir(assets)) await rename(join(assets, name), join(dist, 'assets', name));
for (const name of ['server.js.map', 'server.js']) await rename(join(own, name), join(dist, name));
await rm(own, { recursive: true });
for (const name of await readdir(join(dist, 'assets')))
  if (!names.includes(name)) await rm(join(dist, 'assets', name), { force: true });
await buildHelp(join(dist, 'help'));
