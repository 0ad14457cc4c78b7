import type { Redis } from 'ioredis';
import { ADMIT, CLOSE_JOURNAL, ENTER } from './scripts.ts';

/** {outcome, hour, second, wait, used, counterId}. */
export type AdmitReply = [number, number, number, number, number, string];

type Value = string | number;

interface Scripts {
  admit(...keysAndValues: Value[]): Promise<AdmitReply>;
  enter(...keysAndValues: Value[]): Promise<number>;
  closeJournal(...keys: string[]): Promise<string[]>;
}

/**
 * Defines our scripts as commands of the connection: sent by their hash, and in full if Redis does not know them yet.
 */
export function withScripts(redis: Redis): Redis & Scripts {
  redis.defineCommand('admit', { numberOfKeys: 5, lua: ADMIT });
  redis.defineCommand('enter', { numberOfKeys: 2, lua: ENTER });
  redis.defineCommand('closeJournal', { numberOfKeys: 2, lua: CLOSE_JOURNAL });
  return redis as Redis & Scripts; // defined just now
}
