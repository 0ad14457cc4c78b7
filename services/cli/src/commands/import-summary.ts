import { type Found, unreadable, type UnreadableCode } from '@dmarc-ledger/imports';
import { counted, printableText } from '@dmarc-ledger/vocabulary';
import { printJson, printTable } from '../print.ts';

const PARTLY_DONE = 3;
const EXAMPLES = 5;
const SHOWN = 20;

/** What was found in the source, and what became of it. */
export interface ImportSummary {
  /** Reports that were rebuilt from what the tool kept, their records and messages. */
  rebuilt: number;
  records: number;
  messages: number;
  /** Raw reports that the tool kept. */
  raw: number;
  /** What could not be read, by code, with the first places. */
  unreadable: { code: UnreadableCode; count: number; places: string[] }[];
  /** Only with `--dry-run`: how many were received before. */
  received?: number;
  /** How the deliveries ended. A report that is known from mail is a duplicate. */
  stored?: number;
  duplicates?: number;
  held?: number;
  refused?: number;
  refusals?: { source: string; code: string; message: string }[];
}

/** Counts what a reader finds. */
export class ImportTally {
  #rebuilt = 0;
  #records = 0;
  #messages = 0;
  #raw = 0;
  #unreadable = new Map<UnreadableCode, { count: number; places: string[] }>();

  add(found: Found): void {
    if (found.kind === 'raw') this.#raw += 1;
    else if (found.kind === 'kept') {
      this.#rebuilt += 1;
      this.#records += found.report.records.length;
      this.#messages += found.report.records.reduce((sum, { count }) => sum + count, 0);
    } else {
      const { count = 0, places = [] } = this.#unreadable.get(found.code) ?? {};
      if (places.length < EXAMPLES) places.push(found.name);
      this.#unreadable.set(found.code, { count: count + 1, places });
    }
  }

  summary(): ImportSummary {
    const codes = [...this.#unreadable].map(([code, found]) => ({ code, ...found }));
    return {
      rebuilt: this.#rebuilt,
      records: this.#records,
      messages: this.#messages,
      raw: this.#raw,
      unreadable: codes,
    };
  }
}

interface Shown {
  /** The id of the organization: without it, a release is one of all organizations. */
  org: string;
  json?: boolean | undefined;
  dryRun?: boolean | undefined;
}

export function show(summary: ImportSummary, { org, json, dryRun = false }: Shown): void {
  const { unreadable: failed, refusals = [], ...figures } = summary;
  if (failed.length > 0 || refusals.length > 0) process.exitCode = PARTLY_DONE;
  if (json) return printJson({ dry_run: dryRun, ...summary });
  printTable([figures]);
  for (const { code, count, places } of failed)
    process.stdout.write(`not read  ${code}, ${counted(count, 'time')}: ${unreadable[code]} ${named(places, count)}\n`);
  for (const { source, code, message } of refusals.slice(0, SHOWN))
    process.stdout.write(`refused  ${printableText(source)}: ${code}: ${printableText(message)}\n`);
  if (refusals.length > SHOWN) process.stdout.write(`… and ${refusals.length - SHOWN} more; --json lists all\n`);
  if ((figures.held ?? 0) > 0)
    process.stdout.write(
      `Held reports are not counted. To count them: npx dmarc-ledger intake release --imported --org ${org}\n`,
    );
}

function named(places: readonly string[], count: number): string {
  return `(${places.map((place) => printableText(place)).join('; ')}${count > places.length ? '; …' : ''})`;
}
