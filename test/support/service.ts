import { once } from 'node:events';
import { endWithProcess } from '@dmarc-ledger/testkit/end-with-process';
import { startCommand } from './command.ts';

/** A running `dmarc-ledger serve …`, a process of its own. */
export interface Service {
  pid: number;
  /** Resolves with its address when it is ready; rejects with its output when it ends before. */
  ready: Promise<string | null>;
  /** Its exit code; null when it was killed. */
  ended: Promise<number | null>;
  /** What it has logged. */
  log(): string;
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
}

const FREE_PORTS = { PORT: '0', INGEST_PORT: '0', ADMIN_PORT: '0' };

export function startService(
  name: 'api' | 'ingester' | 'worker' | 'scheduler',
  env: { [name: string]: string },
): Service {
  return startServing(['serve', name], { ...FREE_PORTS, LOG_LEVEL: 'info', ...env });
}

/** The same of a whole command line, with no port or level of our choice. */
export function startServing(args: string[], env: { [name: string]: string }): Service {
  const child = startCommand(args, env);
  endWithProcess(child);
  let log = '';
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const ready = new Promise<string | null>((resolve, reject) => {
    child.stderr!.on('data', (piece: Buffer) => {
      log += piece.toString();
      const [line] = /^.*"event":"service\.ready".*$/m.exec(log) ?? [];
      if (line !== undefined) resolve((JSON.parse(line) as { address: string | null }).address);
    });
    void ended.then((code) => reject(new Error(`${args.join(' ')} ended with code ${code}:\n${log}`)));
  });
  ready.catch(() => {}); // a caller that does not wait for it ignores the failure
  return {
    pid: child.pid!,
    ready,
    ended,
    log: () => log,
    async end(signal) {
      child.kill(signal);
      return await ended;
    },
  };
}
