import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claimDataDir } from '@dmarc-ledger/local-postgres';
import { afterEach, beforeEach, expect, it } from 'vitest';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'claim-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

it('refuses a second instance on the same folder, and names the process that has it', () => {
  const claim = claimDataDir(dataDir, 'start');
  expect(() => claimDataDir(dataDir, 'start')).toThrow(`Process ${process.pid} already runs "start" on ${dataDir}`);
  claim.release();
  claimDataDir(dataDir, 'start').release();
  expect(readdirSync(dataDir)).toEqual([]);
});

it('makes the folder when there is none', () => {
  const folder = join(dataDir, 'new', 'folder');
  claimDataDir(folder, 'start');
  expect(readdirSync(folder)).toEqual(['start.pid']);
});

it('passes over the claim of a process that was killed', () => {
  const { pid } = spawnSync(process.execPath, ['--version']);
  writeFileSync(join(dataDir, 'start.pid'), `${pid}\n\n`);
  expect(() => claimDataDir(dataDir, 'start')).not.toThrow();
});

it.runIf(process.platform === 'linux')(
  'passes over the claim of a dead process whose number was given away again',
  () => {
    writeFileSync(join(dataDir, 'start.pid'), `${process.pid}\nan-earlier-boot:17\n`);
    expect(() => claimDataDir(dataDir, 'start')).not.toThrow();
  },
);

it('passes over a claim that says nothing', () => {
  writeFileSync(join(dataDir, 'start.pid'), '');
  expect(() => claimDataDir(dataDir, 'start')).not.toThrow();
});
