import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { beginningOf } from '../src/pages/reports/raw-text.ts';

const streamOf = (...chunks: (string | Buffer)[]) => Readable.from(chunks.map((chunk) => Buffer.from(chunk)));

describe('the beginning of raw bytes', () => {
  it.each([
    ['plain XML', [Buffer.from('<a>\r\n\t1</a>')], '<a>\n\t1</a>'],
    ['several chunks', [Buffer.from('<a>'), Buffer.from('</a>')], '<a></a>'],
    [
      'control characters and marks of direction',
      [Buffer.from('a\u0000\u001B[31m\u202Eb')],
      'a\uFFFD\uFFFD[31m\uFFFDb',
    ],
    ['UTF-16 with its mark', [Buffer.from('\uFEFF<a/>', 'utf16le')], '<a/>'],
    ['bytes that are no text', [Buffer.from([0x3c, 0xff, 0x3e])], '<\uFFFD>'],
    ['nothing', [], ''],
  ])('shows %s', async (_, chunks, text) => {
    expect(await beginningOf(streamOf(...chunks))).toEqual({ text, isCut: false });
  });

  it('ends the reading where it has enough', async () => {
    let read = 0;
    async function* endless() {
      for (;;) {
        read += 1;
        yield Buffer.alloc(1_024, 'x');
      }
    }
    const stream = Readable.from(endless(), { objectMode: false, highWaterMark: 1_024 });
    const { text, isCut } = await beginningOf(stream, 4_096);
    expect({ length: text.length, isCut, isEnded: stream.destroyed }).toEqual({
      length: 4_096,
      isCut: true,
      isEnded: true,
    });
    expect(read).toBeLessThan(20);
  });
});
