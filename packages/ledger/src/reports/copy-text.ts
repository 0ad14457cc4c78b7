/** COPY's text format: columns by tab, rows by line feed, `\N` for null, and four characters escaped. */
export type CopyValue = string | number | boolean | null;

const SPECIAL = /[\\\t\n\r]/;
const ESCAPES: { [character: string]: string } = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** Columns that follow one another in a line. */
export function copyColumns(values: readonly CopyValue[]): string {
  let columns = '';
  for (let i = 0; i < values.length; i += 1) {
    if (i > 0) columns += '\t';
    columns += copyValue(values[i]!);
  }
  return columns;
}

function copyValue(value: CopyValue): string {
  if (value === null) return '\\N';
  if (typeof value === 'string')
    return SPECIAL.test(value) ? value.replace(/[\\\t\n\r]/g, (character) => ESCAPES[character]!) : value;
  if (typeof value === 'boolean') return value ? 't' : 'f';
  return String(value);
}
