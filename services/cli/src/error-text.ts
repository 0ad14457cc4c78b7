import { printableText } from '@dmarc-ledger/vocabulary';

const LONGEST_LINE = 500;

/**
 * A message for the terminal of the operator. It can repeat an argument, or what a server said: no character in it
 * moves the cursor or changes colours, and no line is longer than 500 characters.
 */
export function errorText(message: string): string {
  return message
    .split('\n')
    .map((line) => printableText(line, LONGEST_LINE))
    .join('\n');
}
