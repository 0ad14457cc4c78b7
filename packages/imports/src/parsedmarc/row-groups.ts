import { createWriteStream, type WriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createReadStream } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { hash } from 'node:crypto';
import { finished } from 'node:stream/promises';
import { type FlatRow, keyOf } from './flat-rows.ts';

/** Rows in memory before they go to files; each file is then read on its own. */
const IN_MEMORY = 50_000;
const FILES = 128;

/**
 * Groups rows by report, wherever they stand in an export: in memory, and in temporary files once they are many, so
 * that memory holds a fraction of a large export.
 */
export class RowGroups implements AsyncDisposable {
  #rows: FlatRow[] = [];
  #folder: string | undefined;
  #files: WriteStream[] = [];
  readonly #inMemory: number;

  constructor(inMemory = IN_MEMORY) {
    this.#inMemory = inMemory;
  }

  async add(row: FlatRow): Promise<void> {
    this.#rows.push(row);
    if (this.#rows.length >= this.#inMemory) await this.#spill();
  }

  /** The rows of each report. Ends the adding. */
  async *groups(): AsyncGenerator<FlatRow[]> {
    if (this.#folder === undefined) return yield* grouped(this.#rows);
    await this.#spill();
    for (const file of this.#files) {
      file.end();
      await finished(file);
    }
    for (const file of this.#files) {
      const rows: FlatRow[] = [];
      for await (const line of createInterface({ input: createReadStream(String(file.path)) })) {
        const row: FlatRow = JSON.parse(line); // as written below
        rows.push(row);
      }
      yield* grouped(rows);
    }
  }

  async #spill(): Promise<void> {
    if (this.#folder === undefined) {
      const folder = (this.#folder = await mkdtemp(join(tmpdir(), 'dmarc-ledger-import-')));
      this.#files = Array.from({ length: FILES }, (_, i) =>
        createWriteStream(join(folder, `${i}.ndjson`), { mode: 0o600 }),
      );
    }
    for (const row of this.#rows) {
      const file = this.#files[hash('sha256', keyOf(row), 'buffer').readUInt16BE() % FILES];
      if (file && !file.write(`${JSON.stringify(row)}\n`)) await once(file, 'drain');
    }
    this.#rows = [];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const file of this.#files) file.destroy();
    if (this.#folder !== undefined) await rm(this.#folder, { recursive: true, force: true });
  }
}

function grouped(rows: readonly FlatRow[]): MapIterator<FlatRow[]> {
  return Map.groupBy(rows, keyOf).values();
}
