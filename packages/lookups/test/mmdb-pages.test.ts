import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeMmdb } from '@dmarc-ledger/testkit';
import { open, type Response } from 'maxmind';
import { afterAll, expect, it } from 'vitest';
import { mmdbPages } from '../src/geo/mmdb-pages.ts';
import { shippedData } from '../src/geo/shipped-data.ts';

const folder = mkdtempSync(join(tmpdir(), 'dmarc-ledger-test-pages-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const randomV4 = () => Array.from({ length: 4 }, () => Math.floor(Math.random() * 256)).join('.');
const randomV6 = () =>
  [
    '2' +
      Math.floor(Math.random() * 4096)
        .toString(16)
        .padStart(3, '0'),
    ...Array.from({ length: 7 }, () => Math.floor(Math.random() * 65_536).toString(16)),
  ].join(':');

it.each([
  ['the city of IPv4 addresses', shippedData().city?.v4, randomV4],
  ['the city of IPv6 addresses', shippedData().city?.v6, randomV6],
  ['the country of IPv4 addresses', shippedData().country, randomV4],
  ['the country of IPv6 addresses', shippedData().country, randomV6],
])('finds %s as the library does that holds the whole file', async (_, path, address) => {
  if (path === undefined) return;
  const [pages, whole] = [mmdbPages(path), await open<Response>(path)];
  for (let i = 0; i < 500; i += 1) {
    const ip = address();
    expect([ip, (await pages.get(ip)) ?? null]).toEqual([ip, whole.get(ip)]);
  }
  expect(pages.builtAt).toEqual(whole.metadata.buildEpoch);
});

it('reads every kind of value, and knows nothing of addresses that the file does not cover', async () => {
  const path = join(folder, 'values.mmdb');
  const record = { text: 'x'.repeat(700), number: 70_000, location: { latitude: -1.5 }, list: [1, 'two'] };
  writeMmdb(path, { '9.0.0.0/8': record }, new Date('2026-01-02T03:04:05Z'));
  const [pages, whole] = [mmdbPages(path), await open<Response>(path)];
  expect(await pages.get('9.1.2.3')).toEqual(whole.get('9.1.2.3'));
  expect(await pages.get('10.1.2.3')).toBeUndefined();
  expect(await pages.get('2001:db8::1')).toBeUndefined();
});

it('refuses a file that is missing or no database at the first lookup', async () => {
  const path = join(folder, 'broken.mmdb');
  writeFileSync(path, 'broken');
  await expect(mmdbPages(path).get('192.0.2.1')).rejects.toThrow(/not a MaxMind DB/);
  await expect(mmdbPages(join(folder, 'none.mmdb')).get('192.0.2.1')).rejects.toThrow(/ENOENT/);
});
