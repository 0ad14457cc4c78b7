import { type Database, isMigrated } from '@dmarc-ledger/schema';
import { keptFor } from '@dmarc-ledger/runtime';

/** A complete schema stays complete, except after a restore or a manual change. */
const WHOLE_MS = 60_000;

/** The resources that a process needs, each with a check; the queue where it serves one. */
export function readinessOf({ db }: Database, queue?: () => Promise<boolean>): () => Promise<Record<string, boolean>> {
  const isWhole = keptFor(WHOLE_MS, async () => {
    if (!(await isMigrated(db))) throw new Error('migrations wait'); // so that it is not kept
  });
  return async () => {
    const [database, isUp, migrations] = await Promise.all([
      isYes(db.selectFrom('plan').select('code').limit(1).execute()),
      queue?.(),
      isYes(isWhole()),
    ]);
    return { database, ...(isUp !== undefined && { queue: isUp }), migrations };
  };
}

function isYes(asked: Promise<unknown>): Promise<boolean> {
  return asked.then(
    () => true,
    () => false,
  );
}
