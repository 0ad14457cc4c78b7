import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { fileSource, unpack, type ByteSource, type Document } from '@dmarc-ledger/unpack';
import { CodedError } from '@dmarc-ledger/vocabulary';

const LIMIT = 8 * 1024 ** 2;

/** Reports that were taken, and the codes with which the rest was refused. */
export interface Taken<Report> {
  reports: Report[];
  refusals: string[];
}

/** What a document held: reports, and refusals beside them. One that is thrown is a refusal of all. */
export type ReadDocument<Report> = (bytes: Buffer, kind: Document['kind']) => (Report | CodedError)[];

/** Takes a delivery apart and reads what is in it. Whatever goes wrong has a code. */
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

interface Case {
  group: string;
  verdict: 'accept' | 'reject' | 'either';
  reports?: { [figure: string]: unknown }[];
}

const directory = process.env['HOSTILE_DIRECTORY'];
const root = directory
  ? new URL(`file://${directory}/`)
  : new URL('../../../../shared/corpus/hostile/', import.meta.url);
const list = new URL('hostile_expected.json', root);

/** The hostile inputs of a group that are at hand, none where there are none. `HOSTILE_DIRECTORY` has others. */
export function hostileInputs(group: string): [file: string, expected: Case][] {
  const known: { [file: string]: Case } = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : {};
  return Object.entries(known).filter(([file, entry]) => entry.group === group && existsSync(new URL(file, root)));
}

/** What is wrong with what became of them: whatever is taken has these figures, and nothing goes silently. */
export async function complaintsAbout<Report extends object>(
  inputs: ReturnType<typeof hostileInputs>,
  read: ReadDocument<Report>,
  figuresOf: (report: Report) => { [figure: string]: unknown },
): Promise<{ [file: string]: unknown }> {
  const complaints: { [file: string]: unknown } = {};
  for (const [file, { verdict, reports: wanted }] of inputs) {
    const { reports, refusals } = await takeDelivery(await fileSource(fileURLToPath(new URL(file, root))), file, read);
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
