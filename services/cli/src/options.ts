import { Option } from 'commander';
import { CliError } from './errors.ts';

/** The `--json` option of every command. */
export function jsonOption(): Option {
  return new Option('--json', 'print one JSON document');
}

/** The option of a command for one organization. */
export function orgOption(description = 'the organization, by id or name'): Option {
  return new Option('--org <id>', description).makeOptionMandatory();
}

/** The option of a command about the last 30, 60 or 90 days. */
export function daysOption(): Option {
  return new Option('--days <days>', 'how many days, ending today').choices(['30', '60', '90']).default('30');
}

/** Reads the value of `--limit`, the number of rows that a list shows. @throws {CliError} usage */
export function readLimit(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new CliError('usage', '--limit takes a whole number from 1 to 99999.');
  return Number(text);
}

/** The option of a command for all organizations or one. */
export function orgFilter(): Option {
  return new Option('--org <id>', 'only this organization, by id or name (default: all)');
}

/** The option of a command that takes an id: the id is enough. */
export function ownerOption(): Option {
  return new Option('--org <id>', 'the organization that it must belong to (the id alone is enough)');
}

/** The end of a command's help: examples that work as they are, apart from the ids. */
export function examples(...calls: string[]): string {
  const lines = calls.map((call) => `  npx dmarc-ledger ${call}`);
  return `\n${calls.length > 1 ? 'Examples' : 'Example'}:\n${lines.join('\n')}`;
}

/** An id as printed, for examples. */
export const SAMPLE_ID = '01KAQ3V8ZC5N7T9W2XEYDGHJKM';
