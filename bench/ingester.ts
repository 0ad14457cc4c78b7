import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startArguments } from './command.ts';
import type { Answer, Order } from './ingester-child.ts';
import type { Ledger } from './ledger.ts';

const PROGRAM = fileURLToPath(new URL('ingester-child.ts', import.meta.url));
const POLL_MS = 20;

/** An ingester in a process of its own, with the flags that a service has. */
export interface Ingester {
  send(order: Order): Promise<Answer>;
  /** Rejects when the process ends before it is stopped. */
  failed: Promise<never>;
  stop(): Promise<void>;
}

export function startIngester(): Ingester {
  const execArgv = startArguments().filter((argument) => argument.startsWith('--'));
  const child = fork(PROGRAM, { execArgv, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const ended = once(child, 'exit');
  const failed = ended.then(([code]) => Promise.reject(new Error(`an ingester ended with ${code}`)));
  failed.catch(() => undefined); // callers of `send` receive it
  return {
    failed,
    async send(order) {
      const answered = once(child, 'message', { signal: AbortSignal.timeout(600_000) });
      child.send(order);
      const [answer] = await Promise.race([answered, failed]);
      return answer as Answer; // the child sends nothing else
    },
    async stop() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}

/** Waits until the ingesters have left nothing that waits or is in work. */
export async function untilTakenIn({ database }: Ledger, by: readonly Ingester[]): Promise<void> {
  const failed = Promise.race(by.map((ingester) => ingester.failed));
  const waiting = `select 1 from raw_message where state in ('received', 'processing') limit 1`;
  while ((await database.pool.query(waiting)).rows.length > 0) await Promise.race([sleep(POLL_MS), failed]);
}
