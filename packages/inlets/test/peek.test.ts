import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { beginsLikeGzip, beginsLikeMbox, beginsLikeTar, peek } from '../src/files/peek.ts';
import { inPieces, tarOf } from './delivered.ts';

it.each([0, 1, 511, 512, 513, 5_000])('looks at the head of %i bytes and takes nothing away', async (length) => {
  const bytes = Buffer.from(Array.from({ length }, (_, i) => i & 255));
  const { head, rest } = await peek(inPieces(bytes, 100));
  expect(head).toEqual(bytes.subarray(0, Math.min(length, 600)));
  expect(await buffer(rest)).toEqual(bytes);
});

it.each<[string, boolean]>([
  ['From a@example.com Thu Jan  1 00:00:00 2026\n', true],
  ['From MAILER-DAEMON Thu Jan  1 00:00:00 2026\r\nSubject: x', true],
  ['From: a@example.com\n', false],
  ['From here on\n', false],
  [' From a@example.com Thu Jan  1 00:00:00 2026\n', false],
  ['From a@example.com Thu Jan  1 00:00:00 2026', false],
  ['', false],
])('detects whether %j begins a mailbox file: %s', (text, expected) => {
  expect(beginsLikeMbox(Buffer.from(text))).toBe(expected);
});

it('recognizes archives by their content', async () => {
  const tar = await tarOf({ 'a.xml': 'a' });
  expect([beginsLikeTar(tar), beginsLikeTar(gzipSync(tar)), beginsLikeTar(Buffer.from('ustar'))]).toEqual([
    true,
    false,
    false,
  ]);
  expect([beginsLikeGzip(gzipSync(tar)), beginsLikeGzip(tar), beginsLikeGzip(Buffer.alloc(0))]).toEqual([
    true,
    false,
    false,
  ]);
});
