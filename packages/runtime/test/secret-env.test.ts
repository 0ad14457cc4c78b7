import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { logEnv, lookupEnv, readEnv, secretEnv } from '@dmarc-ledger/runtime';
import { afterAll, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'dmarc-ledger-secrets-'));
afterAll(() => rmSync(folder, { recursive: true }));

const all = { ...logEnv, ...secretEnv, ...lookupEnv };
const KEY = 'k'.repeat(32);

it('takes a secret from the file that is named, without the line end', () => {
  const env = readEnv(all, {
    SECRET_KEY_FILE: given('key', `${KEY}\n`),
    ABUSEIPDB_API_KEY_FILE: given('abuse', ' a key \n\n'),
  });
  expect(env).toMatchObject({ SECRET_KEY: KEY, ABUSEIPDB_API_KEY: 'a key' });
});

it('refuses a secret that is set twice, with a code', () => {
  const source = { SECRET_KEY: KEY, SECRET_KEY_FILE: given('again', KEY) };
  expect(() => readEnv(all, source)).toThrow(
    expect.objectContaining({
      code: 'env_invalid',
      message: 'The environment is invalid:\n  SECRET_KEY: set it or SECRET_KEY_FILE, not both',
    }),
  );
});

it('reports every fault of files and values at once, and repeats no value', () => {
  const source = {
    LOG_LEVEL: 'loud',
    SECRET_KEY_FILE: given('short', 'hunter2'),
    ABUSEIPDB_API_KEY_FILE: join(folder, 'nowhere'),
  };
  expect(() => readEnv(all, source)).toThrow(
    [
      'The environment is invalid:',
      '  ABUSEIPDB_API_KEY_FILE: the file cannot be read (ENOENT)',
      '  LOG_LEVEL: expected trace, debug, info, warn, error, fatal or silent',
      '  SECRET_KEY: expected 32 characters or more, or several such keys separated by commas',
    ].join('\n'),
  );
});

it.each([
  ['that is empty', () => given('empty', '\n'), 'the file is empty'],
  ['that is a folder', () => folder, 'expected the path of a file'],
  ['that is no secret by its size', () => given('huge', 'x'.repeat(100_000)), 'expected a file of at most 65536 bytes'],
])('refuses a file %s', (_, file, fault) => {
  expect(() => readEnv(all, { SECRET_KEY_FILE: file() })).toThrow(`SECRET_KEY_FILE: ${fault}`);
});

it('reads no file for a variable that is not secret', () => {
  expect(readEnv(all, { LOG_LEVEL_FILE: given('level', 'debug') })).toMatchObject({ LOG_LEVEL: 'info' });
});

function given(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}
