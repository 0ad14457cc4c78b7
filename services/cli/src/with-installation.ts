import { findOrganization } from '@dmarc-ledger/db';
import { openLogger, readEnv, type Logger, type Use } from '@dmarc-ledger/runtime';
import { installationEnv, openInstallation, type Installation } from '@dmarc-ledger/standalone-service/installation';
import { parseId } from '@dmarc-ledger/vocabulary';
import { CliError } from './errors.ts';

export interface Work {
  installation: Installation;
  log: Logger;
  use: Use;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Opens the ledger that the environment names, does the work, and closes all it opened, last first. */
export async function withInstallation<T>(work: (work: Work) => Promise<T>): Promise<T> {
  const env = readEnv(installationEnv, process.env);
  const closers: (() => unknown)[] = [];
  const use: Use = (resource, close) => {
    closers.push(() => close(resource));
    return resource;
  };
  const log = openLogger({ name: 'cli', level: env.LOG_LEVEL === 'info' ? 'warn' : env.LOG_LEVEL });
  try {
    const installation = use(await openInstallation(env, tellOnTerminal), (opened) => opened.close());
    return await work({ installation, log, use });
  } finally {
    for (const close of closers.toReversed()) await close();
  }
}

/** The organization that a user names by its id, in either form, or by its name. */
export async function orgIdOf({ installation }: Work, given: string): Promise<string> {
  const id = parseId(given) ?? (UUID.test(given) ? given.toLowerCase() : undefined);
  const { db } = installation.database;
  const found = (id && (await findOrganization(db, { id }))) || (await findOrganization(db, { name: given }));
  if (!found) throw new CliError('not_found', `There is no organization ${given}; see: dmarc-ledger org list`);
  return found.id;
}

function tellOnTerminal(line: string): void {
  if (process.stderr.isTTY) process.stderr.write(`${line}\n`);
}
