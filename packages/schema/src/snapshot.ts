import type { Db } from './database.ts';

/**
 * Reads with several statements as of one moment: none sees what is committed after the first. One connection is held
 * until it ends, and statements that are started together run one after the other. Inside another snapshot it is a part
 * of that.
 */
export async function inSnapshot<Result>(db: Db, read: (db: Db) => Promise<Result>): Promise<Result> {
  if (db.isTransaction) return await read(db);
  return await db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read);
}
