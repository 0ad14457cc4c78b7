import { isDomainName, normalizeDomain } from '@dmarc-ledger/vocabulary';
import { CliError } from '../errors.ts';

/** An argument that names a domain, as the ledger spells it. */
export function readDomainName(text: string): string {
  const name = normalizeDomain(text);
  if (!isDomainName(name)) throw new CliError('usage', `${text} is not a domain name.`);
  return name;
}
