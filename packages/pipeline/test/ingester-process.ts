import { pathToFileURL } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { openBlobs, type BlobStore } from '@dmarc-ledger/blobs';
import { openClaimant, openDimensions, releaseDeadClaims } from '@dmarc-ledger/ledger';
import { openDatabase } from '@dmarc-ledger/schema';
import { takeIn } from '../src/index.ts';

// An ingester process. Reading one of the deliveries ends the process, or never ends.
const [databaseUrl, folder, sha256, how] = process.argv.slice(2) as [string, string, string, 'dies' | 'hangs'];

const database = openDatabase(databaseUrl);
const blobs = await openBlobs(pathToFileURL(folder).href);
const guarded: BlobStore = {
  ...blobs,
  async get(asked) {
    if (asked.toString('hex') !== sha256) return await blobs.get(asked);
    if (how === 'dies') process.kill(process.pid, 'SIGKILL');
    return await new Promise<never>(() => setInterval(() => {}, 1_000));
  },
};
const claimant = openClaimant(database);
const onFault = (message: string, error: unknown) => process.stderr.write(`${message} ${String(error)}\n`);
const needs = { database, blobs: guarded, claimant, dimensions: openDimensions(database), onFault };

const waiting = database.db.selectFrom('raw_message').select('id').where('state', 'in', ['received', 'processing']);
while (await waiting.executeTakeFirst()) {
  await releaseDeadClaims(database.db);
  if ((await takeIn(needs, null)) === null) await sleep(20); // the database has not noticed yet that a holder is gone
}
claimant.release();
await database.close();
