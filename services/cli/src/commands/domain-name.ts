import { isDomainName, normalizeDomain } from '@dmarc-ledger/vocabulary';
import { CliError } from '../errors.ts';

/** Reads an argument that names a domain, in the ledger's spelling. */
export function readDomainName(text: string): string {
  const name = normalizeDomain(text);
  if (!isDomainName(name)) throw new CliError('usage', `${text} is not a domain name.`);
  return name;
}
