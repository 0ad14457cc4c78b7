import { Option } from 'commander';

/** A choice that every command has. */
export function jsonOption(): Option {
  return new Option('--json', 'print one JSON document');
}

/** For a command that works on one organization. */
export function orgOption(description = 'the organization, by id or name'): Option {
  return new Option('--org <id>', description).makeOptionMandatory();
}

/** For a command that works on all organizations unless one is named. */
export function orgFilter(): Option {
  return new Option('--org <id>', 'only this organization, by id or name (default: all)');
}

/** For a command that takes an id: the id is enough. */
export function ownerOption(): Option {
  return new Option('--org <id>', 'the organization that it must belong to (the id alone is enough)');
}

/** The end of a command's help: calls that work as they stand, but for the ids in them. */
export function examples(...calls: string[]): string {
  const lines = calls.map((call) => `  npx dmarc-ledger ${call}`);
  return `\n${calls.length > 1 ? 'Examples' : 'Example'}:\n${lines.join('\n')}`;
}

/** An id as it is printed, for examples. */
export const SAMPLE_ID = '01KAQ3V8ZC5N7T9W2XEYDGHJKM';
