import { isMailAddress } from '@dmarc-ledger/vocabulary';
import { CliError } from '../errors.ts';

/** Reads an argument that is one address: mail may be sent to it, or the mail that is sent to it be taken in. */
export function readMailAddress(text: string): string {
  if (!isMailAddress(text)) throw new CliError('usage', `${text || 'Nothing'} is not a mail address.`);
  return text;
}
