import { once } from 'node:events';
import { startCommand } from './command.ts';

/** A running `dmarc-ledger serve …`, a process of its own. */
export interface Service {
  pid: number;
  /** Until it takes up its work; rejects with what it said when it ends before. */
  ready: Promise<void>;
  /** Its exit code; null when it was killed. */
  ended: Promise<number | null>;
  /** What it has logged. */
  log(): string;
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
}

const FREE_PORTS = { PORT: '0', INGEST_PORT: '0', ADMIN_PORT: '0' };

export function startService(name: 'ingester' | 'worker' | 'scheduler', env: { [name: string]: string }): Service {
  const child = startCommand(['serve', name], { ...FREE_PORTS, LOG_LEVEL: 'info', ...env });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  let log = '';
  const ended = once(child, 'close').then(([code]) => code as number | null);
  void ended.then(() => process.off('exit', kill));
  const ready = new Promise<void>((resolve, reject) => {
    child.stderr!.on('data', (piece: Buffer) => {
      log += piece.toString();
      if (log.includes('"event":"service.ready"')) resolve();
    });
    void ended.then((code) => reject(new Error(`serve ${name} ended with code ${code}:\n${log}`)));
  });
  ready.catch(() => {}); // who does not wait for it does not mind how it ended
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
