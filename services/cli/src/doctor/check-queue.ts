import { inspectRedis } from '@dmarc-ledger/queues';
import { error, ok, reasonOf, warning, type Finding } from './finding.ts';

export async function checkQueue(redisUrl: string | undefined): Promise<Finding> {
  if (redisUrl === undefined) return ok('queue', 'The queue is in the database.');
  try {
    const { version, maxmemoryPolicy, appendOnly } = await inspectRedis(redisUrl);
    if (maxmemoryPolicy !== 'noeviction') {
      const says = `Redis ${version} deletes keys when it is full (${maxmemoryPolicy}).`;
      return error('queue', says, 'Set maxmemory-policy noeviction.');
    }
    if (!appendOnly) {
      const says = `Redis ${version} loses its jobs when it restarts.`;
      return warning('queue', says, 'Set appendonly yes. Without it no work is lost, but some is done later.');
    }
    return ok('queue', `Redis ${version}`);
  } catch (cause) {
    return error('queue', `Redis does not answer: ${reasonOf(cause)}`, 'Check REDIS_URL, and that Redis runs.');
  }
}
