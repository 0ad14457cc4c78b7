import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { fileSource, unpack } from '../src/index.ts';
import { message, part, zip } from './containers.ts';
import { LIMIT, open, XML } from './open-delivery.ts';

const plain = zip([{ name: 'a.xml', data: XML }]);
const END_LENGTH = 22;
const footer = '\r\n_______________________________________________\r\nReports mailing list';

function withComment(bytes: Buffer, comment: Buffer | string): Buffer {
  const text = Buffer.from(comment);
  const length = Buffer.alloc(2);
  length.writeUInt16LE(text.length);
  return Buffer.concat([bytes.subarray(0, -2), length, text]);
}

/** The same zip with its directory's place and length in a zip64 record. (APPNOTE 4.3.14 to 4.3.16) */
function zip64(bytes: Buffer): Buffer {
  const at = bytes.length - END_LENGTH;
  const record = Buffer.alloc(56);
  record.write('504b0606', 'hex');
  record.writeBigUInt64LE(44n, 4);
  for (const field of [24, 32]) record.writeBigUInt64LE(BigInt(bytes.readUInt16LE(at + 10)), field);
  record.writeBigUInt64LE(BigInt(bytes.readUInt32LE(at + 12)), 40);
  record.writeBigUInt64LE(BigInt(bytes.readUInt32LE(at + 16)), 48);
  const locator = Buffer.alloc(20);
  locator.write('504b0607', 'hex');
  locator.writeBigUInt64LE(BigInt(at), 8);
  locator.writeUInt32LE(1, 16);
  const end = Buffer.alloc(END_LENGTH, 0xff);
  end.write('504b050600000000', 'hex');
  end.writeUInt16LE(0, 20);
  return Buffer.concat([bytes.subarray(0, at), record, locator, end]);
}

/** The end of a directory that is not there. */
function falseEnd(claims: { offset: number; size: number }): Buffer {
  const end = Buffer.alloc(END_LENGTH);
  end.write('504b0506', 'hex');
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(claims.size, 12);
  end.writeUInt32LE(claims.offset, 16);
  return end;
}

describe('a zip with bytes behind its end', () => {
  const trailing = ['zip_trailing_bytes'];
  const fakes = (count: number) =>
    Buffer.concat(
      Array.from({ length: count }, (_, i) => falseEnd({ offset: 0, size: plain.length + i * END_LENGTH })),
    );
  const cases: [string, Buffer, string[]][] = [
    ['line ends', Buffer.concat([plain, Buffer.from('\r\n\r\n')]), []],
    ['zeros', Buffer.concat([plain, Buffer.alloc(10_240)]), []],
    ['the footer of a mailing list', Buffer.concat([plain, Buffer.from(footer)]), trailing],
    [
      'line ends, and text behind them',
      Buffer.concat([plain, Buffer.alloc(20_000, '\r\n'), Buffer.from('x')]),
      trailing,
    ],
    ['text behind a comment', Buffer.concat([withComment(plain, 'by a reporter'), Buffer.from(footer)]), trailing],
    [
      'text behind the longest comment',
      Buffer.concat([withComment(plain, Buffer.alloc(0xff_ff, 'c')), Buffer.alloc(60_000, 't')]),
      trailing,
    ],
    ['text behind a zip64', Buffer.concat([zip64(plain), Buffer.from(footer)]), trailing],
    ['nothing but a comment that contains a false end', withComment(plain, `PK\x05\x06${'z'.repeat(40)}`), []],
    [
      'a false end in a comment, and text',
      Buffer.concat([withComment(plain, falseEnd({ offset: 0, size: plain.length })), Buffer.from(footer)]),
      trailing,
    ],
    [
      'a false end of another length',
      Buffer.concat([plain, falseEnd({ offset: 7, size: 9 }), Buffer.from('x')]),
      trailing,
    ],
    ['a zip64 whose comment contains a false end', withComment(zip64(plain), `PK\x05\x06${'z'.repeat(40)}`), []],
    ['a few false ends', Buffer.concat([plain, fakes(5), Buffer.from('x')]), trailing],
  ];

  it.each(cases)('is read: %s', async (_, delivery, warnings) => {
    expect(await open(delivery)).toMatchObject({ documents: [{ text: String(XML), warnings }], refused: [] });
  });

  const directory = mkdtempSync(join(tmpdir(), 'unpack-'));
  afterAll(() => rmSync(directory, { recursive: true }));
  it.each(cases)('is read from a file: %s', async (_, delivery, warnings) => {
    const path = join(directory, 'a.zip');
    writeFileSync(path, delivery);
    const found: unknown[] = [];
    for await (const document of unpack(await fileSource(path))) {
      if (document.kind === 'refused') throw new Error(document.message);
      const whole = await document.readWhole(LIMIT);
      found.push([String(whole?.bytes), whole?.warnings.map(({ code }) => code)]);
    }
    expect(found).toEqual([[String(XML), warnings]]);
  });

  it.each([
    ['in a gzip', gzipSync(Buffer.concat([plain, Buffer.from('\r\n')])), ['gzip_double']],
    [
      'in a part of a mail to which a mailing list has added its footer',
      message([part('application/zip', plain, 'a.zip') + footer]),
      ['mime_base64_loose', 'zip_trailing_bytes'],
    ],
    [
      'in a mail whose last boundary has text behind it',
      message([part('application/zip', plain, 'a.zip')]).replace('--b0--', '--b0--list'),
      ['mime_base64_loose', 'zip_trailing_bytes'],
    ],
  ])('is read %s', async (_, delivery, warnings) => {
    expect(await open(delivery)).toMatchObject({ documents: [{ text: String(XML), warnings }], refused: [] });
  });

  it.each<[string, Buffer, string]>([
    ['without members', Buffer.concat([zip([]), Buffer.from('\r\n')]), 'empty_container'],
    ['with an end that is too far from it', Buffer.concat([plain, Buffer.alloc(200_000, 'x')]), 'archive_malformed'],
    ['with many false ends', Buffer.concat([plain, fakes(2_000), Buffer.from('x')]), 'archive_malformed'],
    ['cut within its comment', withComment(plain, 'c'.repeat(50)).subarray(0, -10), 'archive_malformed'],
    ['cut within its end', plain.subarray(0, -3), 'archive_malformed'],
    ['whose zip64 record is not there', Buffer.concat([cutOut(zip64(plain)), Buffer.from('x')]), 'archive_malformed'],
  ])('is refused %s', async (_, delivery, code) => {
    expect(await open(delivery)).toMatchObject({ documents: [], refused: [code] });
  });
});

function cutOut(bytes: Buffer): Buffer {
  const at = bytes.length - END_LENGTH - 20 - 56;
  return Buffer.concat([bytes.subarray(0, at), Buffer.alloc(56), bytes.subarray(at + 56)]);
}
