import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** The hash of each migration that installations have applied: one that differs is refused. Releasing adds to them. */
const released: { [name: string]: string } = JSON.parse(
  readFileSync(join(import.meta.dirname, 'fixtures/released-migrations.json'), 'utf8'),
);

it.each(Object.entries(released))('is what it was when it was released: %s', (name, sha256) => {
  const sql = readFileSync(join(import.meta.dirname, '../migrations', name));
  expect(createHash('sha256').update(sql).digest('hex')).toBe(sha256);
});
