import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readReports, ReportError, type ReportReading } from '../src/index.ts';
import { readLenient } from '../src/lenient/read-lenient.ts';
import { readStrict } from '../src/read-reports.ts';
import { decodeWhole } from '../src/xml/encoding.ts';

interface Pair {
  /** File name the document came with, where the fixture is about that. */
  name?: string;
  reports: unknown[];
}

const directory = new URL('fixtures/', import.meta.url);
const RECEIVED_AT = 1_743_600_000;
const fixtures = readdirSync(directory).filter((file) => file.endsWith('.xml'));
/** Warnings that the passes give otherwise: the second sees no comments, and knows roots only by their tags. */
const OF_STRUCTURE = new Set(['multiple_feedback', 'xml_leading_junk', 'xml_trailing_garbage', 'xml_not_well_formed']);

/** The second pass refuses names that are special to JavaScript. */
const STRICT_ONLY = 'special-names';

const bytesOf = (file: string) => readFileSync(new URL(file, directory));
const pairOf = (file: string): Pair =>
  JSON.parse(readFileSync(new URL(file.replace(/xml$/, 'json'), directory), 'utf8'));
const plain = (outcomes: (ReportReading | ReportError)[]) =>
  outcomes.map((outcome) => (outcome instanceof ReportError ? { refused: outcome.code } : outcome));

function read(file: string, name: string | undefined): unknown[] {
  try {
    return plain(readReports(bytesOf(file), { receivedAt: RECEIVED_AT, name }));
  } catch (error) {
    if (error instanceof ReportError) return [{ refused: error.code }];
    throw error;
  }
}

describe('a report is read as its pair says', () => {
  it.each(fixtures)('%s', (file) => {
    const { name, reports } = pairOf(file);
    expect(JSON.parse(JSON.stringify(read(file, name)))).toEqual(reports);
  });
});

describe('both passes read a well-formed report alike', () => {
  const wellFormed = fixtures.filter((file) => !file.includes(STRICT_ONLY) && isWellFormed(bytesOf(file)));
  it.each(wellFormed)('%s', (file) => {
    const context = { receivedAt: RECEIVED_AT, name: pairOf(file).name };
    const { text } = decodeWhole(bytesOf(file));
    const bytes = Buffer.from(text);
    expect(withoutKeys(readLenient(text, context))).toEqual(withoutKeys(readStrict(text, bytes, context) ?? []));
  });
});

function isWellFormed(bytes: Uint8Array): boolean {
  try {
    return (readStrict(decodeWhole(bytes).text, bytes, { receivedAt: RECEIVED_AT }) ?? []).length > 0;
  } catch {
    return false;
  }
}

/** A report without an id is identified by the hash of what was parsed, which the passes cut differently. */
function withoutKeys(outcomes: (ReportReading | ReportError)[]): unknown[] {
  return plain(outcomes).map((outcome) => {
    if ('refused' in outcome) return outcome;
    const { header, records, warnings } = outcome;
    const { reportIdKey, ...metadata } = header.metadata;
    return {
      key: metadata.reportId === null ? null : reportIdKey,
      metadata,
      policy: header.policyPublished,
      records,
      warnings: warnings.filter(({ code }) => !OF_STRUCTURE.has(code)),
    };
  });
}
