import { openLogger, readEnv, type Logger, type Use } from '@dmarc-ledger/runtime';
import { isStorageFailure } from '@dmarc-ledger/schema';
import { installationEnv, openInstallation, type Installation } from '@dmarc-ledger/standalone-service/installation';
import { failureReason } from '@dmarc-ledger/vocabulary';
import { CliError } from './errors.ts';

export interface Work {
  installation: Installation;
  log: Logger;
  use: Use;
}

/**
 * Opens the installation named by the environment, does the work, and closes everything, last first.
 *
 * @throws CliError `database_failed` when the database stops answering
 */
export async function withInstallation<T>(work: (work: Work) => Promise<T>): Promise<T> {
  const env = readEnv(installationEnv, process.env);
  const closers: (() => unknown)[] = [];
  const use: Use = (resource, close) => {
    closers.push(() => close(resource));
    return resource;
  };
  const log = openLogger({ name: 'cli', level: env.LOG_LEVEL === 'info' ? 'warn' : env.LOG_LEVEL });
  try {
    const installation = use(await openInstallation(env, { onProgress: sayOnTerminal }), (opened) => opened.close());
    return await work({ installation, log, use });
  } catch (cause) {
    if (!isStorageFailure(cause)) throw cause;
    const advice = 'Run the command again once it answers; nothing is counted twice.';
    throw new CliError('database_failed', `The database failed: ${failureReason(cause)}. ${advice}`, { cause });
  } finally {
    for (const close of closers.toReversed()) await close();
  }
}

function sayOnTerminal(line: string): void {
  if (process.stderr.isTTY) process.stderr.write(`${line}\n`);
}
