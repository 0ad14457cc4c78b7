import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { build } from 'esbuild';
import { readHelpPages, root } from './help-pages.ts';

const FINGERPRINT = '.fingerprint';
const INPUTS = [
  '{.,packages/web}/package.json',
  'docs/images/*.webp',
  'packages/web/help/**/*.{ts,liquid,css}',
  'packages/web/browser/{help,search-options}.ts',
  'packages/web/styles/base.css',
];

/**
 * Builds the help from the Markdown of the repository into a folder, unless it is there already: about 2 s, or 50 ms.
 * Files are renamed into place one by one, so that several processes may build at a time.
 */
export async function buildHelp(folder: string): Promise<void> {
  const fingerprint = await fingerprintOfInputs();
  const built = await readFile(join(folder, FINGERPRINT), 'utf8').catch(() => '');
  if (built === fingerprint) return;
  const own = join(dirname(folder), `.build-help-${process.pid}`);
  try {
    await makeSite(own, fingerprint);
    await writeFile(join(own, FINGERPRINT), fingerprint);
    await moveInto(own, folder);
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

async function makeSite(folder: string, fingerprint: string): Promise<void> {
  const assets = join(folder, 'assets');
  await mkdir(assets, { recursive: true });
  const [{ style, script }, images] = await Promise.all([bundle(assets), copyImages(assets)]);
  const index = `search.${fingerprint.slice(0, 8)}.json`;
  const { writePages } = await import('./write-pages.ts'); // the generator takes a second to load
  const sections = await writePages(folder, { style, script, index: addressOf(index), images });
  const { searchIndex } = await import('./search-index.ts');
  await writeFile(join(assets, index), searchIndex(sections));
}

/** The script and the style sheet of the help, each named by its content. */
async function bundle(assets: string): Promise<{ style: string; script: string }> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['packages/web/browser/help.ts', 'packages/web/help/help.css'],
    entryNames: '[name].[hash]',
    outdir: assets,
    bundle: true,
    minify: true,
    format: 'esm',
    target: ['es2022', 'chrome120', 'firefox120', 'safari17'],
    metafile: true,
    logLevel: 'warning',
  });
  const named = (extension: string) => Object.keys(metafile.outputs).find((path) => path.endsWith(extension)) ?? '';
  return { style: addressOf(basename(named('.css'))), script: addressOf(basename(named('.js'))) };
}

/** Copies the images, and returns their addresses by their path in the repository. */
async function copyImages(assets: string): Promise<Map<string, string>> {
  const images = new Map<string, string>();
  for (const path of globSync('docs/images/*.webp', { cwd: root })) {
    const hash = createHash('sha256')
      .update(await readFile(join(root, path)))
      .digest('hex');
    const name = `${basename(path, '.webp')}.${hash.slice(0, 8)}.webp`;
    await cp(join(root, path), join(assets, name));
    images.set(path, addressOf(name));
  }
  return images;
}

function addressOf(name: string): string {
  return `/help/assets/${name}`;
}

async function fingerprintOfInputs(): Promise<string> {
  const hash = createHash('sha256');
  for (const { source, text } of readHelpPages()) hash.update(`${source}\n${text}`);
  for (const path of globSync(INPUTS, { cwd: root }).toSorted())
    hash.update(path).update(await readFile(join(root, path)));
  return hash.digest('hex');
}

async function moveInto(from: string, folder: string): Promise<void> {
  const files = await filesBelow(from);
  for (const file of files.toSorted((a, b) => Number(a === FINGERPRINT) - Number(b === FINGERPRINT))) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await rename(join(from, file), join(folder, file));
  }
  for (const file of await filesBelow(folder)) if (!files.includes(file)) await rm(join(folder, file), { force: true });
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}
