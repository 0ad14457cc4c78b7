import { printableText } from '@dmarc-ledger/vocabulary';
import { CliError } from '../errors.ts';

/** A reader of one line that lists, pages and mails show, such as `The name`; it may be empty. */
export function readShortText(what: string, longest: number): (text: string) => string {
  return (text) => {
    const line = text.trim();
    if (line.length > longest) throw new CliError('usage', `${what} has at most ${longest} characters.`);
    if (printableText(line, longest) !== line)
      throw new CliError('usage', `${what} is one line, without control characters.`);
    return line;
  };
}
