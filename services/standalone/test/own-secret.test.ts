import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { secretKeyOf } from '../src/own-secret.ts';

let folder: string;

beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'dmarc-ledger secret '))));
afterEach(() => rmSync(folder, { recursive: true }));

it('makes a key of its own once, for its owner alone, that many starts at a time agree on', async () => {
  const dataDir = join(folder, 'new');
  const keys = await Promise.all(Array.from({ length: 20 }, () => secretKeyOf({}, dataDir)));
  expect(new Set(keys)).toEqual(new Set([readFileSync(join(dataDir, 'secret.key'), 'utf8').trim()]));
  expect(keys[0]).toMatch(/^[0-9a-f]{64}$/);
  expect(statSync(join(dataDir, 'secret.key')).mode & 0o777).toBe(0o600);
  expect(readdirSync(dataDir)).toEqual(['secret.key']);
  expect(await secretKeyOf({}, dataDir)).toBe(keys[0]);
});

it('uses the key that was given, and makes none for a database that others share', async () => {
  const DATABASE_URL = 'postgres://db.example/ledger';
  expect(await secretKeyOf({ SECRET_KEY: 'given', DATABASE_URL }, folder)).toBe('given');
  expect(await secretKeyOf({ DATABASE_URL }, folder)).toBeUndefined();
  expect(readdirSync(folder)).toEqual([]);
});
