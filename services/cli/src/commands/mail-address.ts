import { CliError } from '../errors.ts';

const ADDRESS = /^[^\s<>(),;:"@]{1,64}@[^\s<>(),;:"@]{1,253}$/;

/** True for one address, without a name beside it. */
export function isMailAddress(text: string): boolean {
  return ADDRESS.test(text);
}

/** Reads an argument that names a person: a link that signs them in may be mailed to it, so it is one address. */
export function readMailAddress(text: string): string {
  if (!isMailAddress(text)) throw new CliError('usage', `${text || 'Nothing'} is not a mail address.`);
  return text;
}
