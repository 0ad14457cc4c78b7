import type { WarningList } from '@dmarc-ledger/vocabulary';
import { MAX_BYTES, MAX_FIELDS } from './limits.ts';

const FIELD = /^([!-9;-~]{1,76})[ \t]*:(.*)$/s;
const FOLD = /\r?\n[ \t]+/g;

/** The values of each field, by its name in lower case. */
export type Fields = ReadonlyMap<string, readonly string[]>;

/** The fields of a `message/feedback-report` part; text after an empty line is ignored. (RFC 5965, 3) */
export function readFields(bytes: Uint8Array, warnings: WarningList): Fields {
  const [block = ''] = textOf(bytes.subarray(0, MAX_BYTES))
    .trimStart()
    .split(/\r?\n\r?\n/, 1);
  const lines = block.replace(FOLD, ' ').split(/\r?\n/);
  if (lines.length > MAX_FIELDS || bytes.length > MAX_BYTES) warnings.add('fields_dropped');
  const fields = new Map<string, string[]>();
  for (const line of lines.slice(0, MAX_FIELDS)) {
    const [, name = '', value = ''] = FIELD.exec(line) ?? [];
    if (name === '') continue;
    const values = fields.get(name.toLowerCase());
    if (values) values.push(value.trim());
    else fields.set(name.toLowerCase(), [value.trim()]);
  }
  return fields;
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
