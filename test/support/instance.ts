import { once } from 'node:events';
import { endWithProcess } from '@dmarc-ledger/testkit/end-with-process';
import { startCommand } from './command.ts';

/** A running `dmarc-ledger start`, and what it printed when it was ready. */
export interface Instance {
  pid: number;
  apiUrl: string;
  uploadUrl: string;
  /** Signs the first owner in to the pages, once. */
  signInUrl: string;
  key: string;
  /** The `curl` lines that the start prints. */
  curls: string[];
  output: string;
  /** Everything that it has printed until now. */
  log(): string;
  /** Sends the signal to the whole process group, and returns the exit code; null for a process that was killed. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
}

const FREE_PORTS = { PORT: '0', INGEST_PORT: '0', ADMIN_PORT: '0' };

/** Starts an instance on a data folder and waits until it is ready; fails with its output when it ends before. */
export async function startInstance(
  dataDir: string,
  args: string[] = [],
  env: { [name: string]: string } = {},
  program?: string,
): Promise<Instance> {
  const starting = launchInstance(dataDir, args, env, program);
  return await starting.ready;
}

/** Starts an instance, for a test that does not wait for it to be ready. */
export function launchInstance(
  dataDir: string,
  args: string[] = [],
  env: { [name: string]: string } = {},
  program?: string,
) {
  const variables = { DATA_DIR: dataDir, ...FREE_PORTS, ...env };
  const child = startCommand(['start', ...args], variables, { detached: true, ...(program && { program }) });
  const pid = child.pid!;
  let output = '';
  const ended = once(child, 'close').then(([code]) => code as number | null);
  endWithProcess(child, () => kill(pid, 'SIGKILL'));
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    kill(pid, signal);
    return await ended;
  };
  const ready = new Promise<Instance>((resolve, reject) => {
    const hear = (piece: Buffer) => {
      output += piece.toString();
      if (output.includes('Stop with Ctrl-C'))
        resolve({ pid, ...readGreeting(output), output, log: () => output, end });
    };
    child.stdout!.on('data', hear);
    child.stderr!.on('data', hear);
    void ended.then((code) => reject(new Error(`dmarc-ledger start ended with code ${code}:\n${output}`)));
  });
  ready.catch(() => {}); // a caller that does not wait for it ignores the failure
  return { pid, ready, end, ended };
}

function kill(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // the group has ended
  }
}

function readGreeting(output: string) {
  const wordAfter = (label: string) => new RegExp(`^  ${label} +(\\S+)`, 'm').exec(output)?.[1] ?? '';
  return {
    apiUrl: wordAfter('API').replace(/\/v1$/, ''),
    uploadUrl: wordAfter('uploads'),
    signInUrl: /^ {2}(\S+sign-in\S+)$/m.exec(output)?.[1] ?? '',
    key: wordAfter('key'),
    curls: output.match(/^ {2}curl .+$/gm)?.map((line) => line.trim()) ?? [],
  };
}
