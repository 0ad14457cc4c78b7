import { readdirSync, readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';
import { FailureReportError, readFailureReport } from '../src/index.ts';

const directory = new URL('fixtures/', import.meta.url);
const fixtures = readdirSync(directory).filter((file) => file.endsWith('.txt'));
const context = { receivedAt: 1_772_500_000 };

describe('a report is read as its pair says', () => {
  it.each(fixtures)('%s', (file) => {
    const pair: unknown = JSON.parse(readFileSync(new URL(file.replace(/txt$/, 'json'), directory), 'utf8'));
    expect(JSON.parse(JSON.stringify(read(readFileSync(new URL(file, directory)))))).toEqual(pair);
  });
});

function read(bytes: Buffer): unknown[] {
  try {
    return [readFailureReport(bytes, context)];
  } catch (error) {
    if (error instanceof FailureReportError) return [{ refused: error.code }];
    throw error;
  }
}
