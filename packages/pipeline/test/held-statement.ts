import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, openDatabase } from '@dmarc-ledger/schema';

/** With what transactions begin. */
export const BEGIN = 'begin; set local plan_cache_mode = force_generic_plan';
export const BEGIN_UNLIMITED = `${BEGIN}; set local statement_timeout = 0`;

/** Returns once a transaction waits for another. */
export async function untilBlocked({ pool }: Pick<Database, 'pool'>): Promise<void> {
  const blocked = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  while ((await pool.query(blocked)).rowCount === 0) await sleep(10);
}

/** A database whose first matching statement waits until it is released. */
export interface HeldStatement extends AsyncDisposable {
  database: Database;
  /** The statement has come and waits. */
  reached: Promise<void>;
  letGo(): void;
}

/** Holds the first statement with that name, or with that text; with `after`, the first behind one of that name. */
export function holdStatement(url: string, which: string, after?: string): HeldStatement {
  const database = openDatabase(url, { connections: 4 });
  const reached = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  let isHeld = false;
  let isNext = after === undefined;
  database.pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...question: unknown[]) => unknown;
    const late = async (...question: unknown[]) => {
      await gate.promise;
      return await query(...question);
    };
    Object.assign(client, {
      query: (...question: unknown[]) => {
        if (after !== undefined && isNamed(question[0], after)) isNext = true;
        if (isHeld || !isNext || !isNamed(question[0], which)) return query(...question);
        isHeld = true;
        reached.resolve();
        return late(...question);
      },
    });
  });
  return {
    database,
    reached: reached.promise,
    letGo: gate.resolve,
    async [Symbol.asyncDispose]() {
      gate.resolve();
      await database.close();
    },
  };
}

function isNamed(question: unknown, which: string): boolean {
  if (typeof question === 'string') return question === which;
  return typeof question === 'object' && question !== null && 'name' in question && question.name === which;
}
