import { present } from '@dmarc-ledger/vocabulary';

const PARAMETER = /;\s*([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;]*))/g;
/** Dates before mail existed, and those that RFC 3339 cannot express. */
const EARLIEST = Date.UTC(1990, 0) / 1000;
const LATEST = Date.UTC(9999, 0) / 1000;

/** The media type in lower case, and its parameters. (RFC 2045, 5.1) */
export function readContentType(value: string): { type: string; parameters: ReadonlyMap<string, string> } {
  const type = present(value.split(';', 1)[0]).trim().toLowerCase();
  const parameters = new Map<string, string>();
  for (const [, name, quoted, plain] of value.matchAll(PARAMETER)) {
    parameters.set(present(name).toLowerCase(), quoted === undefined ? present(plain) : quoted.replace(/\\(.)/g, '$1'));
  }
  return { type, parameters };
}

/** When the receiving server took the message: the date at the end of a Received field. (RFC 5321, 4.4) */
export function receivedInstant(field: string): number | null {
  const text = field
    .slice(field.lastIndexOf(';') + 1)
    .replace(/\([^()]*\)/g, ' ')
    .trim();
  const instant = Math.floor(Date.parse(text) / 1000);
  return instant >= EARLIEST && instant < LATEST ? instant : null;
}
