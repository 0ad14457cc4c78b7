import { JSONParser } from '@streamparser/json';
import type { Fields } from '../read-values.ts';
import { isFields } from '../read-values.ts';

/** The largest single value of a document that is held in memory. */
const VALUE_LIMIT = 256 * 1024 ** 2;

/** The reports of an array, of parsedmarc's results, the hits of a search; and the parts of a single report. */
const PATHS = [
  '$.aggregate_reports.*',
  '$.hits.hits.*',
  '$.report',
  ...['xml_schema', 'report_metadata', 'policy_published', 'records.*'].map((name) => `$.${name}`),
];

/**
 * Reads the reports of one JSON document of any size as they end: the elements of an array, or of the lists of an
 * object; the parts of a single report are joined.
 *
 * @throws {Error} where the document is not JSON, or one value is larger than 256 MiB.
 */
export async function* readValues(chunks: AsyncIterable<Buffer>): AsyncGenerator<Fields> {
  let parser: JSONParser | undefined;
  let ready: Fields[] = [];
  const single: Fields & { records: unknown[] } = { records: [] };
  let size = 0;
  for await (const chunk of chunks) {
    parser ??= parserOf(isArray(chunk) ? ['$.*'] : PATHS, ({ path, value }) => {
      size = 0;
      if (path === 'records') single.records.push(value);
      else if (isPart(path)) single[path] = value;
      else if (isFields(value)) ready.push(value);
    });
    size += chunk.length;
    if (size > VALUE_LIMIT) throw new Error('A value is larger than 256 MiB.');
    parser.write(chunk);
    yield* ready;
    ready = [];
  }
  if (!parser?.isEnded) throw new Error('The document ends too early.');
  if ('report_metadata' in single) yield single;
}

const isPart = (path: string) => ['xml_schema', 'report_metadata', 'policy_published'].includes(path);

function parserOf(paths: string[], onValue: (found: { path: string; value: unknown }) => void): JSONParser {
  const parser = new JSONParser({ paths, keepStack: false, stringBufferSize: 64 * 1024 });
  parser.onValue = ({ value, key, stack }) => {
    const parent = stack.at(-1)?.key;
    onValue({ path: typeof key === 'number' && parent === 'records' ? 'records' : String(key ?? ''), value });
  };
  return parser;
}

function isArray(chunk: Buffer): boolean {
  return chunk
    .toString('utf8', 0, 1_024)
    .replace(/^\uFEFF/, '')
    .trimStart()
    .startsWith('[');
}
