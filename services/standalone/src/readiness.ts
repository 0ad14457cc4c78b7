import { type Database, isMigrated } from '@dmarc-ledger/schema';
import { keptFor } from '@dmarc-ledger/runtime';

/** A schema that was whole stays so, but for a restore or a hand at work. */
const WHOLE_MS = 60_000;

/** What a process needs to do its work, each with whether it has it; the queue where it serves one. */
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
