import { idText, parseId } from '@dmarc-ledger/vocabulary';
import { CliError } from './errors.ts';

/** What commands find by its id alone, and the command that lists it. */
const lists = {
  delivery: 'intake list',
  event: 'event list',
  key: 'key list',
  mailbox: 'mailbox list',
  target: 'webhook list',
} as const;

type Kind = keyof typeof lists;

/** Returns what reads an argument that is the id of such a row: a text that no id can be is wrong usage. */
export function readIdOf(kind: Kind): (text: string) => string {
  return (text) => {
    const id = parseId(text);
    if (id !== undefined) return id;
    const article = kind === 'event' ? 'an' : 'a';
    throw new CliError('usage', `${text || 'Nothing'} is not the id of ${article} ${kind}; ${hint(kind)}`);
  };
}

/** The error of an id that could be right, but names nothing. */
export function noSuch(kind: Kind, id: string): CliError {
  return new CliError('not_found', `There is no ${kind} ${idText(id)}; ${hint(kind)}`);
}

function hint(kind: Kind): string {
  return `see: dmarc-ledger ${lists[kind]}`;
}
