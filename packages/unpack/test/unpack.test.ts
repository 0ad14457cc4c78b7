import fc from 'fast-check';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { afterAll, describe, expect, it } from 'vitest';
import { bufferSource, fileSource, unpack, UnpackError } from '../src/index.ts';
import { message, part, zip } from './containers.ts';
import { gz, LIMIT, open, streamed, XML } from './open-delivery.ts';

const damaged = (bytes: Buffer, at: number) => {
  const copy = Buffer.from(bytes);
  copy[copy.length + at] = copy[copy.length + at]! ^ 0xff;
  return copy;
};

describe('a bare document, by content and not by name', () => {
  it.each([
    ['xml', XML, 'xml'],
    ['json', '{"organization-name":"x"}', 'json'],
    ['xml behind a byte order mark', `\uFEFF\n${XML.toString()}`, 'xml'],
    ['xml behind junk', `Your report:\n${XML.toString()}`.replace(':', ''), 'xml'],
    ['utf-16', Buffer.from(`\uFEFF${XML.toString()}`, 'utf16le'), 'xml'],
  ])('%s', async (_, delivery, kind) => {
    expect(await open(delivery, 'a.zip')).toMatchObject({
      documents: [{ kind, path: 'a.zip', text: String(Buffer.from(delivery)) }],
      refused: [],
      mail: null,
    });
  });

  it.each([
    ['nothing', '', 'empty_container'],
    ['white space', ' \r\n\t', 'empty_container'],
    ['a page', '<!DOCTYPE html><html></html>', 'not_a_report'],
    ['noise', Buffer.from([1, 2, 3, 200]), 'not_a_report'],
    ['a placeholder', gzipSync('unused'), 'payload_placeholder'],
    ['7z', Buffer.from('377abcaf271c0004', 'hex'), 'unsupported_container'],
    ['TNEF', Buffer.from('789f3e220000', 'hex'), 'unsupported_container'],
  ])('refuses %s', async (_, delivery, code) => {
    expect(await open(delivery)).toMatchObject({ documents: [], refused: [code] });
  });
});

describe('gzip', () => {
  it.each([
    ['plain', gz, []],
    ['two members', Buffer.concat([gzipSync(XML.subarray(0, 20)), gzipSync(XML.subarray(20))]), []],
    ['trailing zeros', Buffer.concat([gz, Buffer.alloc(300)]), []],
    ['trailing line ends', Buffer.concat([gz, Buffer.from('\r\n\r\n')]), []],
    ['trailing line ends and zeros', Buffer.concat([gz, Buffer.from('\r\n\0\0')]), []],
    ['zeros, and other bytes behind them', Buffer.concat([gz, Buffer.from('\0\0list')]), ['gzip_trailing_bytes']],
    ['line ends, and text behind them', Buffer.concat([gz, Buffer.from('\r\nlist')]), ['gzip_trailing_bytes']],
    ['other trailing bytes', Buffer.concat([gz, Buffer.from('--b0--')]), ['gzip_trailing_bytes']],
    ['without its trailer', gz.subarray(0, -8), ['gzip_truncated']],
    ['a wrong checksum', damaged(gz, -7), ['gzip_bad_crc']],
    ['in gzip', gzipSync(gz), ['gzip_double']],
    ['in zip', zip([{ name: 'a.xml', data: gz }]), ['gzip_double']],
  ])('%s', async (_, delivery, warnings) => {
    expect(await open(delivery)).toMatchObject({ documents: [{ text: String(XML), warnings }], refused: [] });
  });

  it.each([
    ['its header alone', gz.subarray(0, 10), 'gzip_truncated'],
    ['damaged data', Buffer.concat([gz.subarray(0, 10), Buffer.alloc(40, 0xff)]), 'archive_malformed'],
    ['three layers', gzipSync(gzipSync(gz)), 'archive_too_deep'],
    ['a bomb', gzipSync(Buffer.alloc(30_000_000, '<a/>')), 'inflation_ratio'],
    ['a bomb in a bomb', gzipSync(gzipSync(Buffer.alloc(30_000_000, '<a/>'))), 'inflation_ratio'],
  ])('refuses %s', async (_, delivery, code) => {
    expect((await open(delivery)).refused).toEqual([code]);
  });

  it('takes the files of a tar inside', async () => {
    const tar = pack();
    tar.entry({ name: 'x/', type: 'directory' });
    tar.entry({ name: 'x/a.xml' }, String(XML));
    tar.entry({ name: 'x/b.xml' }, String(XML));
    tar.finalize();
    const chunks: Uint8Array[] = [];
    for await (const chunk of tar) if (chunk instanceof Uint8Array) chunks.push(chunk);
    const { documents, refused } = await open(gzipSync(Buffer.concat(chunks)));
    expect(documents.map(({ path, text }) => [path, text])).toEqual([
      ['x_a.xml', String(XML)],
      ['x_b.xml', String(XML)],
    ]);
    expect(documents[0]?.warnings).toContain('container_tar_gz');
    expect(refused).toEqual([]);
  });
});

describe('zip', () => {
  const good = { name: 'report.xml', data: XML };
  it.each([
    ['stored', [{ ...good, method: 0 }], []],
    ['without a name', [{ ...good, name: '' }], ['zip_no_xml_member']],
    ['beside junk', [{ name: 'README', data: Buffer.from('hello') }, { name: '__MACOSX/._a', data: XML }, good], []],
    ['beside a folder', [{ name: 'sub/', data: Buffer.alloc(0), method: 0 }, good], ['zip_directory_entry']],
    ['with a path for a name', [{ ...good, name: '../../etc/evil.xml' }], []],
  ])('%s', async (_, members, warnings) => {
    expect(await open(zip(members))).toMatchObject({ documents: [{ text: String(XML), warnings }], refused: [] });
  });

  it.each([
    ['encrypted', [{ ...good, flags: 1 }], 'zip_encrypted'],
    ['of an unknown method', [{ ...good, method: 12 }], 'zip_unsupported_method'],
    ['too short for what it says', [{ ...good, size: 5_000 }], 'archive_malformed'],
    ['longer than it says', [{ ...good, size: 10 }], 'archive_malformed'],
    ['with a wrong checksum', [{ ...good, crc: 1 }], 'archive_malformed'],
    ['with members that share bytes', [good, { ...good, name: 'b.xml', offset: 0 }], 'archive_malformed'],
    ['of too many members', Array.from({ length: 33 }, () => good), 'archive_too_many_entries'],
    ['holding a link', [{ ...good, attributes: 0xa1ff0000 }], 'empty_container'],
    ['of nothing', [], 'empty_container'],
  ])('refuses one %s', async (_, members, code) => {
    expect(await open(zip(members))).toMatchObject({ documents: [], refused: [code] });
  });

  it('keeps the good member beside a broken one', async () => {
    const { documents, refused } = await open(zip([{ ...good, crc: crc32(XML) >>> 1 }, good]), 'r.zip');
    expect(documents.map(({ path }) => path)).toEqual(['r.zip/report.xml']);
    expect(refused).toEqual(['archive_malformed']);
  });
});

describe('a large file', () => {
  const directory = mkdtempSync(join(tmpdir(), 'unpack-'));
  afterAll(() => rmSync(directory, { recursive: true }));
  const text = `<feedback>${Array.from({ length: 500_000 }, (_, i) => `<a>${i * 7919}</a>`).join('')}</feedback>`;

  it.each([
    ['gzip', gzipSync(text)],
    ['zip', zip([{ name: 'a.xml', data: Buffer.from(text) }])],
  ])('is streamed out of a %s, again and again', async (kind, bytes) => {
    const path = join(directory, kind);
    writeFileSync(path, bytes);
    for await (const document of unpack(await fileSource(path))) {
      if (document.kind === 'refused') throw new Error(document.message);
      expect(await document.readWhole(1_000_000)).toBeNull();
      for (let time = 0; time < 2; time += 1) expect(String(await streamed(document)) === text).toBe(true);
    }
  });
});

const expectRefusal = (error: unknown) => expect(error).toBeInstanceOf(UnpackError);

it('opens or refuses whatever the bytes are', async () => {
  const snippets = [
    gz,
    zip([{ name: 'a.xml', data: XML }]),
    Buffer.from(message([part('application/gzip', gz, 'a.gz')])),
  ];
  const changed = fc
    .tuple(fc.constantFrom(...snippets), fc.nat(), fc.uint8Array({ maxLength: 8 }))
    .map(([bytes, at, patch]) => {
      const copy = Buffer.from(bytes);
      copy.set(patch.subarray(0, copy.length - (at % copy.length)), at % copy.length);
      return copy;
    });
  await fc.assert(
    fc.asyncProperty(fc.oneof(changed, fc.uint8Array()), async (bytes) => {
      let found = 0;
      for await (const document of unpack(bufferSource(bytes))) {
        found += 1;
        if (document.kind !== 'refused') await document.readWhole(LIMIT).catch(expectRefusal);
      }
      expect(found).toBeGreaterThan(0);
    }),
    { numRuns: 400 },
  );
});
