import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Answer, Order } from './ingester-child.ts';
import type { Ledger } from './ledger.ts';

const PROGRAM = fileURLToPath(new URL('ingester-child.ts', import.meta.url));
const POLL_MS = 20;

/** An ingester in a process of its own, as a service runs it. */
export interface Ingester {
  tell(order: Order): Promise<Answer>;
  stop(): Promise<void>;
}

export function startIngester(): Ingester {
  const child = fork(PROGRAM, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const ended = once(child, 'exit');
  return {
    async tell(order) {
      const answered = once(child, 'message', { signal: AbortSignal.timeout(600_000) });
      child.send(order);
      const [answer] = await Promise.race([
        answered,
        ended.then(([code]) => Promise.reject(new Error(`an ingester ended with ${code}`))),
      ]);
      return answer as Answer; // the child sends nothing else
    },
    async stop() {
      child.disconnect();
      await ended;
    },
  };
}

/** Waits until nothing waits or is in work. */
export async function untilTakenIn({ database }: Ledger): Promise<void> {
  const waiting = `select 1 from raw_message where state in ('received', 'processing') limit 1`;
  while ((await database.pool.query(waiting)).rows.length > 0) await sleep(POLL_MS);
}
