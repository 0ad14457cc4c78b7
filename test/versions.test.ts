import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { findFiles, readText } from './support/markdown.ts';

const manifests = findFiles('package.json', '{packages,services}/*/package.json');
const versionOf = (path: string): string => JSON.parse(readText(path)).version;
const version = versionOf('package.json');

it('is the same version in every package, in the chart and in the command', () => {
  const others = manifests.filter((path) => versionOf(path) !== version);
  expect(others).toEqual([]);
  expect(parse(readText('deploy/helm/dmarc-ledger/Chart.yaml'))).toMatchObject({ version, appVersion: version });
  const program = join(import.meta.dirname, '../bin/dmarc-ledger.js');
  expect(execFileSync(process.execPath, [program, '--version'], { encoding: 'utf8' })).toBe(`${version}\n`);
});

it('is written in one place of the code', () => {
  const sources = findFiles('{packages,services}/*/src/**/*.{ts,tsx}');
  const places = sources.filter((path) => readText(path).includes(`'${version}'`));
  expect(places).toEqual(['services/standalone/src/version.ts']);
});

it('has a section of the changelog, and no later version has one', () => {
  const sections = [...readText('CHANGELOG.md').matchAll(/^## \[(.+?)\]/gm)].map(([, name]) => name);
  expect(sections.filter((name) => name !== 'Unreleased')[0]).toBe(version);
  expect(sections[0]).toMatch(/^(?:Unreleased|\d+\.\d+\.\d+)$/);
});
