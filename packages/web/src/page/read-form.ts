import { storableText } from '@dmarc-ledger/vocabulary';

/**
 * The parameters of a request or the fields of a form: of a repeated one the first, each as text that the database can
 * store. What is no text, such as a file, is left out. A browser sends a line break as CRLF; it is one character here,
 * as in the form. (HTML Living Standard, 4.10.22.6)
 */
export function readForm(given: unknown): { [name: string]: string } {
  const fields = Object.entries(Object(given)).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]);
  const texts = fields.filter((field): field is [string, string] => typeof field[1] === 'string');
  return Object.fromEntries(texts.map(([name, text]) => [name, storableText(text).replaceAll('\r\n', '\n')]));
}
