import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Manifest } from './helm.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');
const folder = join(root, 'node_modules', '.cache', 'dmarc-ledger', 'manifests');
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');

interface Model {
  new (data: object): { validate: () => void };
}

/** Which module describes a kind: that of Kubernetes itself, of KEDA, or of the Prometheus operator. */
function moduleOf({ apiVersion, kind }: Manifest): string {
  const home = apiVersion.startsWith('keda.sh/')
    ? '@kubernetes-models/keda'
    : apiVersion.startsWith('monitoring.coreos.com/')
      ? '@kubernetes-models/prometheus-operator'
      : 'kubernetes-models';
  return `${home}/${apiVersion}/${kind}`;
}

/** Checks an object against the schema of its kind: types, formats, what must be there. Throws on a fault. */
export async function validate(manifest: Manifest): Promise<void> {
  const { [manifest.kind]: model } = (await import(moduleOf(manifest))) as { [kind: string]: Model };
  new model!(manifest).validate();
}

/**
 * The fields that no schema knows, as the compiler reports them: an object literal of a type can have no others. The
 * schemas alone would let a misspelt optional field pass.
 */
export async function findUnknownFields(name: string, manifests: readonly Manifest[]): Promise<string[]> {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name}.ts`);
  const modules = [...new Map(manifests.map((manifest) => [moduleOf(manifest), manifest.kind]))];
  const imports = modules.map(([from, kind]) => `import type { I${kind} } from '${from}';`);
  const literals = manifests.map(
    (manifest, i) => `const m${i}: I${manifest.kind} = ${JSON.stringify(manifest, null, 1)};`,
  );
  const names = manifests.map((_, i) => `m${i}`);
  writeFileSync(file, [...imports, ...literals, `export default [${names.join(', ')}];\n`].join('\n'));
  const options = [
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--module',
    'nodenext',
    '--target',
    'esnext',
    '--ignoreConfig',
  ];
  try {
    await run(process.execPath, [compiler, ...options, file]);
    return [];
  } catch (error) {
    return (error as { stdout: string }).stdout.trim().split('\n');
  }
}
