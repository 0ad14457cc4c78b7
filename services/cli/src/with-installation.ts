import { openLogger, readEnv, type Logger, type Use } from '@dmarc-ledger/runtime';
import { installationEnv, openInstallation, type Installation } from '@dmarc-ledger/standalone-service/installation';

export interface Work {
  installation: Installation;
  log: Logger;
  use: Use;
}

/** Opens the installation named by the environment, does the work, and closes everything, last first. */
export async function withInstallation<T>(work: (work: Work) => Promise<T>): Promise<T> {
  const env = readEnv(installationEnv, process.env);
  const closers: (() => unknown)[] = [];
  const use: Use = (resource, close) => {
    closers.push(() => close(resource));
    return resource;
  };
  const log = openLogger({ name: 'cli', level: env.LOG_LEVEL === 'info' ? 'warn' : env.LOG_LEVEL });
  try {
    const installation = use(await openInstallation(env, sayOnTerminal), (opened) => opened.close());
    return await work({ installation, log, use });
  } finally {
    for (const close of closers.toReversed()) await close();
  }
}

function sayOnTerminal(line: string): void {
  if (process.stderr.isTTY) process.stderr.write(`${line}\n`);
}
