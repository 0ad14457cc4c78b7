import fc from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  readHeader,
  readReports,
  ReportError,
  streamReport,
  type ReadContext,
  type ReportReading,
} from '../src/index.ts';
import { longRecords } from './long-records.ts';

const context: ReadContext = { receivedAt: 1_743_600_000 };
const directory = new URL('fixtures/', import.meta.url);

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function readStreamed(bytes: Uint8Array, size: number, header?: ReportReading['header']): Promise<ReportReading> {
  const reading: Partial<ReportReading> & { records: ReportReading['records'] } = { records: [] };
  for await (const event of streamReport(inPieces(bytes, size), { ...context, header })) {
    if (event.type === 'header') reading.header = event.header;
    else if (event.type === 'records') reading.records.push(...event.records);
    else reading.warnings = event.warnings;
  }
  return { header: reading.header!, records: reading.records, warnings: reading.warnings! };
}

async function codeOf(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (error instanceof ReportError) return error.code;
    throw error;
  }
}

const fixture = (name: string) => readFileSync(new URL(`${name}.xml`, directory));

describe('a report read as a stream', () => {
  it.each(['002-rfc7489', '003-rfc9990', '008-utf16', '009-windows-1252'])(
    'is what it is when read whole: %s',
    async (name) => {
      const [whole] = readReports(fixture(name), context);
      for (const size of [1, 7, 64 * 1024]) expect(await readStreamed(fixture(name), size)).toEqual(whole);
    },
  );

  it('gives batches of at most 1,000 records behind its header', async () => {
    const text = fixture('001-pre-7489').toString();
    const record = /<record>[^]*<\/record>/.exec(text)![0];
    const types: string[] = [];
    for await (const event of streamReport(
      inPieces(Buffer.from(text.replace(record, record.repeat(2_500))), 50_000),
      context,
    )) {
      types.push(event.type === 'records' ? String(event.records.length) : event.type);
    }
    expect(types).toEqual(['header', '1000', '1000', '500', 'end']);
  });

  it('gives smaller batches of 8 MiB when its records are long', async () => {
    const batches: number[] = [];
    for await (const event of streamReport(longRecords(70), context))
      if (event.type === 'records') batches.push(event.records.length);
    expect(batches).toEqual([27, 28, 15]);
  });

  it('is repaired when it is read whole, however long it goes on behind a bare ampersand', () => {
    const text = fixture('001-pre-7489').toString().replace('Harbour Mail', 'Harbour & Mail');
    const record = /<record>[^]*<\/record>/.exec(text)![0];
    const [reading] = readReports(Buffer.from(text.replace(record, record.repeat(1_000))), context);
    expect(reading).toMatchObject({
      header: { metadata: { reporterName: 'Harbour & Mail' } },
      warnings: [{ code: 'xml_unescaped_markup', detail: null }],
    });
  });

  it('is read in two passes when its metadata comes last', async () => {
    const bytes = fixture('038-metadata-last');
    expect(await codeOf(readStreamed(bytes, 100))).toBe('header_after_records');
    const header = await readHeader(inPieces(bytes, 100), context);
    const [whole] = readReports(bytes, context);
    expect(await readStreamed(bytes, 100, header)).toEqual(whole);
  });

  it.each([
    ['020-truncated', 'xml_truncated'],
    ['021-mismatched', 'xml_malformed'],
    ['022-doctype', 'xml_doctype'],
    ['029-root-not-feedback', 'not_feedback'],
    ['030-two-feedbacks', 'multiple_feedback'],
  ])('is refused: %s', async (name, code) => {
    expect(await codeOf(readStreamed(fixture(name), 64 * 1024))).toBe(code);
  });

  it('holds back no more than a piece of a comment that does not end', async () => {
    async function* endless() {
      yield Buffer.from('<feedback><!--');
      for (;;) yield Buffer.alloc(64 * 1024, 'x');
    }
    expect(
      await codeOf(
        (async () => {
          for await (const event of streamReport(endless(), context)) void event;
        })(),
      ),
    ).toBe('xml_text_too_long');
  });
});

describe('whatever the bytes are', () => {
  const snippets = readdirSync(directory)
    .filter((file) => file.endsWith('.xml'))
    .map((file) => readFileSync(new URL(file, directory)));
  const damaged = fc
    .tuple(fc.constantFrom(...snippets), fc.nat(), fc.uint8Array({ maxLength: 12 }))
    .map(([bytes, at, patch]) => {
      const copy = Buffer.from(bytes);
      copy.set(patch.subarray(0, Math.max(0, copy.length - (at % copy.length))), at % copy.length);
      return copy;
    });

  it('a document is read or refused with a code', () => {
    const check = fc.property(fc.oneof(damaged, fc.uint8Array()), (bytes) =>
      isCoded(() => readReports(bytes, context)),
    );
    expect(fc.check(check, { numRuns: 500 })).toMatchObject({ failed: false });
  });

  it('a stream is read or refused with a code', async () => {
    const check = fc.asyncProperty(damaged, fc.integer({ min: 1, max: 2_000 }), async (bytes, size) => {
      await codeOf(readStreamed(bytes, size));
    });
    expect(await fc.check(check, { numRuns: 200 })).toMatchObject({ failed: false });
  });
});

function isCoded(work: () => unknown): boolean {
  try {
    work();
    return true;
  } catch (error) {
    return error instanceof ReportError;
  }
}
