import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { errorCode } from '@dmarc-ledger/vocabulary';
import { parse } from 'csv-parse';
import { ImportError } from '../import-error.ts';
import { type Found, RECORDS_OF_A_REPORT, type UnreadableCode } from '../kept-report.ts';
import { type Fields, fieldsOf, isFields, listOf, textOf } from '../read-values.ts';
import { csvRow, documentRow, type FlatRow, keyOf, reportOfRows } from './flat-rows.ts';
import { readJsonReport } from './json-report.ts';
import { readLines } from './read-lines.ts';
import { readValues } from './read-values-in.ts';
import { RowGroups } from './row-groups.ts';

const NAMED = /\.(json|ndjson|jsonl|csv)(\.gz)?$/i;
const BEGINNING = 64 * 1024;

/** An object with a list of reports or documents, which is read element by element also where it is one line. */
const IS_LIST = /^\{\s*"(?:aggregate_reports|took|_scroll_id|hits)"/;

/**
 * Reads the output of parsedmarc: JSON, one JSON document a line, exports of Elasticsearch and OpenSearch, CSV; also in
 * gzip. A folder is read with all folders below it.
 *
 * @throws {ImportError} `source_missing` for a path that does not exist.
 */
export async function* readParsedmarcFiles(paths: readonly string[], { zone = 'UTC' } = {}): AsyncGenerator<Found> {
  await using rows = new RowGroups();
  for (const path of paths) for await (const file of filesAt(path)) yield* readFile(file, rows, zone);
  let report = 0;
  for await (const group of rows.groups()) yield* reportOfRows(group, `parsedmarc, report ${(report += 1)} of rows`);
}

async function* filesAt(path: string): AsyncGenerator<string> {
  const found = await stat(path).catch(() => undefined);
  if (!found) throw new ImportError('source_missing', `${path} does not exist.`);
  if (!found.isDirectory()) return yield path;
  const entries = await readdir(path, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile() && NAMED.test(entry.name));
  yield* files.map((entry) => join(entry.parentPath, entry.name)).toSorted();
}

async function* readFile(path: string, rows: RowGroups, zone: string): AsyncGenerator<Found> {
  const name = basename(path);
  try {
    const beginning = await beginningOf(path);
    if (/\.csv(\.gz)?$/i.test(path) || beginning.startsWith('xml_schema,')) return yield* readCsv(path, name);
    if (beginning.startsWith('{') && !IS_LIST.test(beginning) && isLine(beginning))
      return yield* readNdjson(path, name, rows, zone);
    let place = 0;
    for await (const value of readValues(chunksOf(path)))
      yield* readDocument(value, `${name}, ${(place += 1)}`, rows, zone);
  } catch (error) {
    if (error instanceof ImportError) throw error;
    yield { kind: 'unreadable', name, code: codeOf(error, 'not_json') };
  }
}

async function* readNdjson(path: string, name: string, rows: RowGroups, zone: string): AsyncGenerator<Found> {
  for await (const { number, text } of readLines(chunksOf(path))) {
    const place = `${name}, line ${number}`;
    const value = text === undefined ? undefined : parsed(text);
    if (text === undefined) yield { kind: 'unreadable', name: place, code: 'line_too_long' };
    else if (!isFields(value)) yield { kind: 'unreadable', name: place, code: 'not_json' };
    else yield* readDocument(value, place, rows, zone);
  }
}

/** A report, a document of an index, or a list of either. */
async function* readDocument(value: Fields, name: string, rows: RowGroups, zone: string): AsyncGenerator<Found> {
  const nested = listOf(value['aggregate_reports'] ?? fieldsOf(value['hits'])['hits']).filter(isFields);
  for (const each of nested) yield* readDocument(each, name, rows, zone);
  if (nested.length > 0 || isFields(value['hits']) || Array.isArray(value['aggregate_reports'])) return;
  if (isFields(value['report'])) return yield* readDocument(value['report'], name, rows, zone);
  const document = isFields(value['_source']) ? value['_source'] : value;
  if (isFields(document['report_metadata'])) yield* readJsonReport(document, name, zone);
  else if (isFields(document['published_policy'])) await rows.add(documentRow(document, textOf(value['_id']), name));
  // otherwise it is the line of an action in a bulk request
  else if (!isFields(value['index'])) yield { kind: 'unreadable', name, code: 'other_kind' };
}

/**
 * The rows of a report stand together: the same report once more, further below, is another copy of it. Of a file that
 * cannot be read to its end, the last report is left out: rows of it may be missing.
 */
async function* readCsv(path: string, name: string): AsyncGenerator<Found> {
  const parser = parse({
    bom: true,
    columns: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: 1024 ** 2,
  });
  pipeline(createText(path), parser, () => undefined); // the loop below gets the error
  let run: FlatRow[] = [];
  let line = 1;
  const ended = () => reportOfRows(run, `${name}, report before row ${line}`);
  try {
    for await (const row of parser) {
      const flat = csvRow(fieldsOf(row));
      line += 1;
      if (run[0] && keyOf(run[0]) !== keyOf(flat)) {
        yield* ended();
        run = [];
      }
      if (run.length <= RECORDS_OF_A_REPORT) run.push(flat);
    }
  } catch (error) {
    return yield { kind: 'unreadable', name, code: codeOf(error, 'not_csv') };
  }
  if (run.length > 0) yield* ended();
}

/** Faults of the file system and of gzip are no faults of what is in the file. */
function codeOf(error: unknown, otherwise: UnreadableCode): UnreadableCode {
  return /^(?:Z_|E[A-Z]+$)/.test(errorCode(error) ?? '') ? 'file_unreadable' : otherwise;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether the first line is a whole JSON object, or too long to tell. */
function isLine(beginning: string): boolean {
  const end = beginning.indexOf('\n');
  return end === -1
    ? beginning.length >= BEGINNING || isFields(parsed(beginning))
    : isFields(parsed(beginning.slice(0, end)));
}

async function beginningOf(path: string): Promise<string> {
  let text = '';
  for await (const chunk of chunksOf(path)) {
    text += chunk.toString('utf8');
    if (text.length >= BEGINNING) break;
  }
  return text.replace(/^\uFEFF/, '').trimStart();
}

async function* chunksOf(path: string): AsyncGenerator<Buffer> {
  for await (const chunk of createText(path)) yield Buffer.from(chunk);
}

function createText(path: string) {
  const file = createReadStream(path);
  if (!/\.gz$/i.test(path)) return file;
  const text = createGunzip();
  file.once('error', (error) => text.destroy(error));
  text.once('close', () => file.destroy());
  return file.pipe(text);
}
