import { hash } from 'node:crypto';
import { once } from 'node:events';
import type { WriteStream } from 'node:fs';
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { finished } from 'node:stream/promises';
import { ImportError } from '../import-error.ts';
import { type FlatRow, keyOf } from './flat-rows.ts';

/** Rows in memory before they go to files; each file is then read on its own. */
const IN_MEMORY = 50_000;
const FILES = 128;

/**
 * Groups rows by report, wherever they stand in an export: in memory, and in temporary files once they are many, so
 * that memory holds a fraction of a large export. The files have no names: nothing stays of them when the process is
 * killed.
 */
export class RowGroups implements AsyncDisposable {
  #rows: FlatRow[] = [];
  #files: { handle: FileHandle; stream: WriteStream }[] = [];
  readonly #inMemory: number;

  constructor(inMemory = IN_MEMORY) {
    this.#inMemory = inMemory;
  }

  /** @throws {ImportError} `temporary_files` where the disk is full, or the folder cannot be written to. */
  async add(row: FlatRow): Promise<void> {
    this.#rows.push(row);
    if (this.#rows.length >= this.#inMemory) await this.#spill();
  }

  /**
   * The rows of each report. Ends the adding.
   *
   * @throws {ImportError} as `add` does
   */
  async *groups(): AsyncGenerator<FlatRow[]> {
    if (this.#files.length === 0) return yield* grouped(this.#rows);
    await this.#spill();
    await this.#finish();
    for (const { handle } of this.#files) {
      const rows: FlatRow[] = [];
      const input = handle.createReadStream({ start: 0, autoClose: false });
      for await (const line of createInterface({ input })) {
        const row: FlatRow = JSON.parse(line); // as written below
        rows.push(row);
      }
      yield* grouped(rows);
    }
  }

  async #spill(): Promise<void> {
    try {
      if (this.#files.length === 0) await this.#openFiles();
      for (const row of this.#rows) {
        const file = this.#files[hash('sha256', keyOf(row), 'buffer').readUInt16BE() % FILES];
        if (file?.stream.errored) throw file.stream.errored;
        if (file && !file.stream.write(`${JSON.stringify(row)}\n`)) await once(file.stream, 'drain');
      }
    } catch (error) {
      throw notWritten(error);
    }
    this.#rows = [];
  }

  /** What is still buffered may fail as well. */
  async #finish(): Promise<void> {
    try {
      for (const { stream } of this.#files) {
        stream.end();
        await finished(stream);
      }
    } catch (error) {
      throw notWritten(error);
    }
  }

  async #openFiles(): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), 'dmarc-ledger-import-'));
    try {
      while (this.#files.length < FILES) {
        const handle = await open(join(folder, `${this.#files.length}.ndjson`), 'wx+', 0o600);
        const stream = handle.createWriteStream({ autoClose: false });
        stream.on('error', () => undefined); // the next write throws it
        this.#files.push({ handle, stream });
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { handle, stream } of this.#files) {
      stream.destroy();
      await handle.close();
    }
  }
}

function notWritten(error: unknown): ImportError {
  const reason = error instanceof Error ? error.message : String(error);
  const advice = 'Set TMPDIR to a folder with enough free space for the export.';
  return new ImportError('temporary_files', `Rows cannot be written to ${tmpdir()}: ${reason}. ${advice}`, {
    cause: error,
  });
}

function grouped(rows: readonly FlatRow[]): MapIterator<FlatRow[]> {
  return Map.groupBy(rows, keyOf).values();
}
