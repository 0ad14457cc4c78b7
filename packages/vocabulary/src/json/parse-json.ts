import { CodedError } from '../coded-error.ts';
import type { Warning } from '../warning.ts';
import { JsonScanner } from './json-scanner.ts';

export type JsonCode = 'json_malformed' | 'json_truncated' | 'json_too_deep' | 'json_too_large';

/** The input is not JSON, or larger than any report. */
export class JsonError extends CodedError<JsonCode> {
  override readonly retryable = false;
}

/** An object is a map: no name in it is special, and its order is that of the document. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export type JsonObject = ReadonlyMap<string, Json>;

const MAX_DEPTH = 32;
const MAX_VALUES = 500_000;

/**
 * Parses untrusted JSON (RFC 8259), bounded in depth and in number of values. The last value of a repeated name counts,
 * as usual; bytes that are not UTF-8 are read as windows-1252.
 */
export function parseJson(bytes: Uint8Array): { value: Json; warnings: Warning[] } {
  const { text, isUtf8 } = decode(bytes);
  const reader = new JsonReader(text);
  const value = reader.readDocument();
  const warnings: Warning[] = [];
  if (!isUtf8) warnings.push({ code: 'json_encoding_mislabelled', detail: null });
  if (reader.hasDuplicates) warnings.push({ code: 'json_duplicate_name', detail: null });
  return { value, warnings };
}

function decode(bytes: Uint8Array): { text: string; isUtf8: boolean } {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), isUtf8: true };
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), isUtf8: false };
  }
}

class JsonReader {
  readonly #scanner: JsonScanner;
  #values = 0;
  hasDuplicates = false;

  constructor(text: string) {
    this.#scanner = new JsonScanner(text, (message, isCut) => {
      throw new JsonError(isCut ? 'json_truncated' : 'json_malformed', message);
    });
  }

  readDocument(): Json {
    const value = this.#readValue(0);
    this.#scanner.expectEnd();
    return value;
  }

  #readValue(depth: number): Json {
    if (depth > MAX_DEPTH) throw new JsonError('json_too_deep', `more than ${MAX_DEPTH} levels inside each other`);
    if ((this.#values += 1) > MAX_VALUES) throw new JsonError('json_too_large', `more than ${MAX_VALUES} values`);
    if (this.#scanner.take('{')) return this.#readObject(depth + 1);
    if (this.#scanner.take('[')) return this.#readArray(depth + 1);
    return this.#scanner.readScalar();
  }

  #readObject(depth: number): JsonObject {
    const object = new Map<string, Json>();
    if (this.#scanner.take('}')) return object;
    do {
      const name = this.#scanner.readString();
      this.#scanner.expect(':');
      if (object.has(name)) this.hasDuplicates = true;
      object.set(name, this.#readValue(depth));
    } while (this.#scanner.take(','));
    this.#scanner.expect('}');
    return object;
  }

  #readArray(depth: number): Json[] {
    const list: Json[] = [];
    if (this.#scanner.take(']')) return list;
    do list.push(this.#readValue(depth));
    while (this.#scanner.take(','));
    this.#scanner.expect(']');
    return list;
  }
}
