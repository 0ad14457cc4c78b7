import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

const preflight = join(import.meta.dirname, '..', 'scripts', 'node24.js');
let folder: string;
let script: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pre flight '));
  script = join(folder, 'script.ts');
  writeFileSync(
    script,
    `const [wanted, ...rest]: string[] = process.argv.slice(2);
     if (wanted === 'wait') { process.on('SIGTERM', () => process.exit(9)); setInterval(() => {}, 1000); }
     console.log(JSON.stringify({ rest, isNew: Number(process.versions.node.split('.')[0]) >= 24, main: import.meta.main }));
     if (wanted !== 'wait') process.exit(Number(wanted));`,
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

it('runs a script from any folder, with its arguments, and ends as it ends', () => {
  const { stdout, status } = spawnSync(process.execPath, [preflight, script, '3', 'a b', '--c'], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect(JSON.parse(stdout)).toEqual({ rest: ['a b', '--c'], isNew: true, main: true });
  expect(status).toBe(3);
});

it('passes signals on', async () => {
  const child = spawn(process.execPath, [preflight, script, 'wait'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([9, null]);
});
