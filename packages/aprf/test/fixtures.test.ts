import { readdirSync, readFileSync } from 'node:fs';
import { JsonError, parseJson } from '@dmarc-ledger/vocabulary';
import { describe, expect, it } from 'vitest';
import { AprfError, readAprf } from '../src/index.ts';

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
    return readAprf(parseJson(bytes).value, context).map((outcome) =>
      outcome instanceof AprfError ? { refused: outcome.code } : outcome,
    );
  } catch (error) {
    if (error instanceof AprfError || error instanceof JsonError) return [{ refused: error.code }];
    throw error;
  }
}

it('refuses a report of more rows than any has', () => {
  const [pair] = JSON.parse(readFileSync(new URL('001-two-providers-reports.report.json', directory), 'utf8'));
  const report = { ...pair, body: Array.from({ length: 50_001 }, () => ({ classification: { inbox: 1 } })) };
  expect(read(Buffer.from(JSON.stringify([report])))).toEqual([{ refused: 'too_many_rows' }]);
});
