import { readDomainName } from '@dmarc-ledger/vocabulary';
import { CliError } from '../errors.ts';

const ADDRESS = /^[^\s\p{Cc}\p{Cf}<>(),;:"@]{1,64}@([^\s<>(),;:"@]{1,253})$/u;

/** True for one address, without a name beside it. */
export function isMailAddress(text: string): boolean {
  const domain = ADDRESS.exec(text)?.[1];
  return domain !== undefined && readDomainName(domain) !== undefined;
}

/** Reads an argument that is one address: mail may be sent to it, or the mail that is sent to it be taken in. */
export function readMailAddress(text: string): string {
  if (!isMailAddress(text)) throw new CliError('usage', `${text || 'Nothing'} is not a mail address.`);
  return text;
}
