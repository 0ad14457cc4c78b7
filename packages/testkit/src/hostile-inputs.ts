import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { bufferSource, fileSource, unpack, type ByteSource, type Document } from '@dmarc-ledger/unpack';
import { CodedError } from '@dmarc-ledger/vocabulary';
import { notHere, outside } from './outside-corpus.ts';

const LIMIT = 8 * 1024 ** 2;

/** Reports that were read, and the codes with which the rest was refused. */
export interface Taken<Report> {
  reports: Report[];
  refusals: string[];
}

/** The content of a document: reports, and refusals. A thrown refusal concerns the whole document. */
export type ReadDocument<Report> = (bytes: Buffer, kind: Document['kind']) => (Report | CodedError)[];

/** Unpacks a delivery and reads its documents. Every fault has a code. */
export async function takeDelivery<Report extends object>(
  source: ByteSource,
  name: string,
  read: ReadDocument<Report>,
): Promise<Taken<Report>> {
  const taken: Taken<Report> = { reports: [], refusals: [] };
  try {
    for await (const document of unpack(source, { name })) {
      if (document.kind === 'refused') {
        taken.refusals.push(document.code);
        continue;
      }
      const whole = await document.readWhole(LIMIT);
      if (!whole) taken.refusals.push('payload_too_large');
      for (const outcome of whole ? read(whole.bytes, document.kind) : []) {
        if (outcome instanceof CodedError) taken.refusals.push(outcome.code);
        else taken.reports.push(outcome);
      }
    }
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    taken.refusals.push(error.code);
  }
  return taken;
}

/** The expectations of the makers of a hostile input. */
export interface Case {
  group: string;
  verdict: 'accept' | 'reject' | 'either';
  reports?: { [figure: string]: unknown }[];
}

const directory = process.env['HOSTILE_DIRECTORY'];
const root = directory ? pathToFileURL(`${directory}/`) : new URL('hostile/', outside);
const list = new URL('hostile_expected.json', root);

/**
 * The hostile inputs of a group from the external corpus; `HOSTILE_DIRECTORY` has others. Null, with a printed notice,
 * where they are missing.
 */
export function hostileInputs(group: string): [file: string, expected: Case][] | null {
  if (!existsSync(list)) return notHere(`hostile ${group}`, root);
  const known: { [file: string]: Case } = JSON.parse(readFileSync(list, 'utf8'));
  return Object.entries(known).filter(([file, entry]) => entry.group === group && existsSync(pathOfHostile(file)));
}

/**
 * Hostile JSON, generated here: deep, long, truncated, of other types, with names that JavaScript knows. Each is
 * refused, or read without what it pretends.
 */
export const hostileJson: { readonly [name: string]: () => Buffer } = {
  'an empty document': () => Buffer.alloc(0),
  'a list in a list, a million times': () => Buffer.from('['.repeat(1_000_000)),
  'an object in an object, 100,000 times': () => Buffer.from(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`),
  'a text of eight megabytes': () => Buffer.from(`{"version":"${'x'.repeat(8_000_000)}"}`),
  'a number of a million digits': () => Buffer.from(`{"version":${'9'.repeat(1_000_000)}}`),
  'a document that is cut off': () => Buffer.from('{"organization-name":"Cut'),
  null: () => Buffer.from('null'),
  'a page': () => Buffer.from('<!doctype html><html><body>report</body></html>'),
  bytes: () => Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0x7d]),
  'names that JavaScript knows': () =>
    Buffer.from('{"__proto__":{"policies":[]},"constructor":{"prototype":{}},"toString":1}'),
  '100,000 names': () =>
    Buffer.from(JSON.stringify(Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`n${i}`, i])))),
};

/** The path of a hostile input. */
export const pathOfHostile = (file: string): string => fileURLToPath(new URL(encodeURIComponent(file), root));

/** The result of each of these: the codes it was refused with, and the number of reports that were read. */
export async function outcomesOf<Report extends object>(
  inputs: { readonly [name: string]: () => Buffer },
  read: ReadDocument<Report>,
): Promise<{ [name: string]: { reports: number; refusals: string[] } }> {
  const outcomes: { [name: string]: { reports: number; refusals: string[] } } = {};
  for (const [name, make] of Object.entries(inputs)) {
    const { reports, refusals } = await takeDelivery(bufferSource(make()), 'report.json', read);
    outcomes[name] = { reports: reports.length, refusals };
  }
  return outcomes;
}

/** The faults of these results: every accepted report has these figures, and nothing is dropped silently. */
export async function complaintsAbout<Report extends object>(
  inputs: [file: string, expected: Case][],
  read: ReadDocument<Report>,
  figuresOf: (report: Report) => { [figure: string]: unknown },
): Promise<{ [file: string]: unknown }> {
  const complaints: { [file: string]: unknown } = {};
  for (const [file, { verdict, reports: wanted }] of inputs) {
    const { reports, refusals } = await takeDelivery(await fileSource(pathOfHostile(file)), file, read);
    const figures = reports.map(figuresOf);
    const isRight =
      reports.length === 0
        ? verdict !== 'accept' && refusals.length > 0
        : verdict !== 'reject' &&
          (!wanted ||
            isDeepStrictEqual(
              figures,
              wanted.map((each, i) => pick(each, figures[i])),
            ));
    if (!isRight) complaints[file] = { figures, refusals, wanted };
  }
  return complaints;
}

function pick(wanted: { [figure: string]: unknown }, figures: { [figure: string]: unknown } = {}) {
  return Object.fromEntries(Object.keys(figures).map((name) => [name, wanted[name]]));
}
