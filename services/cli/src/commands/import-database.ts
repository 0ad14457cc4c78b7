import { type Found, isZone, openSource, type SourceDatabase } from '@dmarc-ledger/imports';
import { CliError } from '../errors.ts';
import { readVariable } from '../variable.ts';

export interface DatabaseOptions {
  database?: string;
  databaseEnv?: string;
  passwordEnv?: string;
}

/**
 * The URL of the other tool's database. A password comes from the environment, because other users of the machine can
 * read the command line.
 */
export function sourceUrl({ database, databaseEnv, passwordEnv }: DatabaseOptions): URL {
  if ((database === undefined) === (databaseEnv === undefined))
    throw new CliError('usage', 'Give either --database or --database-env.');
  const url = URL.parse(database ?? readVariable(databaseEnv ?? ''));
  if (!url?.hostname) throw new CliError('usage', 'The URL of the database is like mysql://user@host/name.');
  if (database !== undefined && url.password !== '')
    throw new CliError('usage', 'The password does not belong on the command line: use --password-env.');
  if (passwordEnv !== undefined) url.password = encodeURIComponent(readVariable(passwordEnv));
  return url;
}

/** Reads a database, and closes it. */
export async function* withSource(
  url: URL,
  dialects: readonly SourceDatabase['dialect'][],
  read: (source: SourceDatabase) => AsyncGenerator<Found>,
): AsyncGenerator<Found> {
  await using source = await openSource(url);
  if (!dialects.includes(source.dialect)) throw new CliError('usage', `This tool stores no reports in ${url.protocol}`);
  yield* read(source);
}

export function zoneOf(text: string): string {
  if (isZone(text)) return text;
  throw new CliError('usage', `${text} is not a time zone; write one such as Europe/Berlin.`);
}
