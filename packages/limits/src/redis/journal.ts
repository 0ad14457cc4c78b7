import type { Redis } from 'ioredis';
import type { UsageBatch, UsageCount } from '../tally.ts';
import type { withScripts } from './scripted.ts';

/** The id of the journal being written; each is stored under this key and its id. */
export const OPEN_JOURNAL = 'limits:journal';
const CLOSED_JOURNALS = 'limits:journals';

/**
 * Closes the open journal and reads all closed ones, whichever process closed them: each is a batch under its own id.
 */
export async function readJournals(redis: ReturnType<typeof withScripts>): Promise<UsageBatch[]> {
  const ids = await redis.closeJournal(OPEN_JOURNAL, CLOSED_JOURNALS);
  const batches = await Promise.all(
    ids.map(async (id) => ({ id, counts: countsOf(await redis.hgetall(journalKey(id))), uses: [] })),
  );
  return batches.filter(({ counts }) => counts.length > 0);
}

export async function dropJournal(redis: Redis, id: string): Promise<void> {
  await redis.multi().del(journalKey(id)).srem(CLOSED_JOURNALS, id).exec();
}

function journalKey(id: string): string {
  return `${OPEN_JOURNAL}:${id}`;
}

/** Fields are hour, organization, key and counter, separated by colons. */
function countsOf(fields: { [field: string]: string }): UsageCount[] {
  const counts = new Map<string, UsageCount>();
  for (const [field, number] of Object.entries(fields)) {
    const [hour = '', orgId = '', keyId = '', what = ''] = field.split(':');
    const name = `${hour}:${orgId}:${keyId}`;
    const count = counts.get(name) ?? { orgId, keyId, hour: Number(hour), requests: 0, rejected: 0, errors: 0 };
    if (what === 'requests' || what === 'rejected') count[what] += Number(number);
    counts.set(name, count);
  }
  return [...counts.values()];
}
