import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** One package of this repository: its folder, its manifest, and its source files with their imports. */
export interface Workspace {
  name: string;
  folder: string;
  manifest: Manifest;
  sources: SourceFile[];
  tests: SourceFile[];
}

export interface Manifest {
  name: string;
  /** Of a package that is built, the sources are what its types are read from. */
  exports?: Record<string, string | { types: string }>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

export interface SourceFile {
  path: string;
  imports: string[];
  text: string;
}

/** The source file that a package exports under a name. */
export function entryOf({ exports = {} }: Manifest, name: string): string | undefined {
  const entry = exports[name];
  return typeof entry === 'object' ? entry.types : entry;
}

export function readManifest(path: string): Manifest {
  return JSON.parse(readFileSync(join(root, path), 'utf8')) as Manifest;
}

export function readWorkspaces(): Workspace[] {
  return globSync('{packages,services}/*/package.json', { cwd: root })
    .toSorted()
    .map((path) => readWorkspace(dirname(path), readManifest(path)));
}

function readWorkspace(folder: string, manifest: Manifest): Workspace {
  return {
    name: manifest.name,
    folder,
    manifest,
    sources: readSources(`${folder}/src`),
    tests: readSources(`${folder}/test`),
  };
}

function readSources(folder: string): SourceFile[] {
  const paths = globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root }).toSorted();
  return paths.map((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    return { path: relative('', path), imports: importsOf(text), text };
  });
}

/** What a file imports or re-exports, types included. */
function importsOf(source: string): string[] {
  const statements = /^\s*(?:import|export)\b(?:[^'";]*?\bfrom)?\s*'([^']+)'/gm;
  const calls = /\bimport\(\s*'([^']+)'\s*\)/g;
  return [...source.matchAll(statements), ...source.matchAll(calls)].map((match) => match[1]!);
}
