import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installPackage } from '../scripts/package/install.ts';
import { endedChildrenSeconds, serverSeconds, type Cost } from './cpu.ts';
import type { Lab } from './lab.ts';

/** Settings of a command of its own: nothing of the caller's environment changes what is measured. */
export interface CommandPlace {
  databaseUrl: string;
  dataDir: string;
  /** 'on' queues new addresses for lookup, which no command does itself. Default: 'off'. */
  ENRICHMENT?: 'on' | 'off';
}

/** The environment of a command. */
export function commandEnv({ databaseUrl, dataDir, ENRICHMENT = 'off' }: CommandPlace): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR } = process.env;
  return { PATH, HOME, TMPDIR, DATABASE_URL: databaseUrl, DATA_DIR: dataDir, ENRICHMENT, LOG_LEVEL: 'error' };
}

/** The arguments of Node.js in `npm start`: its flags, which the Docker image has too, and the program. */
export function startArguments(): string[] {
  const file = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  const { scripts }: { scripts: { start: string } } = JSON.parse(file);
  return scripts.start.split(' ').slice(1);
}

let installed: Promise<string> | undefined;

/** The path of the command as it is installed, made once for the run. */
function installedCommand(lab: Lab): Promise<string> {
  return (installed ??= installPackage(join(lab.folder, 'installed')));
}

/**
 * Runs `dmarc-ledger` to its end and returns its cost, with that of the database meanwhile.
 *
 * @throws {Error} when it ends with another code than 0
 */
export async function commandCost(lab: Lab, place: CommandPlace, args: readonly string[]): Promise<Cost> {
  const command = await installedCommand(lab);
  const [client, server, begin] = [endedChildrenSeconds(), serverSeconds(lab.serverPid), performance.now()];
  const child = spawn(process.execPath, [command, ...args], {
    env: commandEnv(place),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`dmarc-ledger ${args[0]} ended with ${code}`);
  return {
    client: endedChildrenSeconds() - client,
    server: serverSeconds(lab.serverPid) - server,
    wall: (performance.now() - begin) / 1000,
  };
}

/** What remains of a cost without that of starting. */
export function lessCost(whole: Cost, start: Cost): Cost {
  return {
    client: whole.client - start.client,
    server: whole.server - start.server,
    wall: whole.wall - start.wall,
  };
}
