import { readdirSync, readFileSync } from 'node:fs';
import { JsonError, parseJson } from '@dmarc-ledger/vocabulary';
import { describe, expect, it } from 'vitest';
import { readTlsReport, TlsReportError } from '../src/index.ts';

const directory = new URL('fixtures/', import.meta.url);
const fixtures = readdirSync(directory).filter((file) => file.endsWith('.report.json'));
const context = { receivedAt: 1_772_500_000 };

describe('a report is read as its pair says', () => {
  it.each(fixtures)('%s', (file) => {
    const pair: unknown = JSON.parse(
      readFileSync(new URL(file.replace(/report.json$/, 'read.json'), directory), 'utf8'),
    );
    expect(JSON.parse(JSON.stringify(read(readFileSync(new URL(file, directory)))))).toEqual(pair);
  });
});

function read(bytes: Buffer): unknown[] {
  try {
    return [readTlsReport(parseJson(bytes).value, context)];
  } catch (error) {
    if (error instanceof TlsReportError || error instanceof JsonError) return [{ refused: error.code }];
    throw error;
  }
}
