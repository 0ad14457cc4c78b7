import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openBlobs } from '@dmarc-ledger/blobs';
import { createOrganization, findDrift, openClaimant, openDimensions } from '@dmarc-ledger/ledger';
import { cloneDatabase, reportXml } from '@dmarc-ledger/testkit';
import { receiveMessages, takeIn } from '../src/index.ts';
import type { LongLane } from '../src/intake/long-lane.ts';
import { zip } from './hostile-deliveries.ts';

/** How long a busy machine may take for what is waited for. */
export const PATIENCE = { timeout: 30_000, interval: 20 };

export type TestIntake = Awaited<ReturnType<typeof openIntake>>;

/** One organization, with an intake that the test runs. */
export async function openIntake() {
  const stack = new AsyncDisposableStack();
  const database = stack.use(await cloneDatabase());
  const folder = stack.use(await mkdtempDisposable(join(tmpdir(), 'dmarc-ledger-blobs-')));
  const blobs = await openBlobs(pathToFileURL(folder.path).href);
  const { id: orgId } = await createOrganization(database.db, { name: 'Org' });
  const claimant = openClaimant(database);
  stack.defer(() => claimant.release());
  const faults: string[] = [];
  const needs = {
    database,
    blobs,
    claimant,
    dimensions: openDimensions(database),
    onFault: (_: string, error: unknown) => void faults.push(String(error)),
  };
  return {
    database,
    blobs,
    orgId,
    needs,
    faults,
    handIn: async (content: Buffer, source: 'file' | 'mailbox' = 'file', org = orgId) =>
      await receiveMessages({ database, blobs }, org, [{ content, source, name: 'a.zip' }]),
    take: async (lane?: LongLane) => await takeIn({ ...needs, ...(lane && { lane }) }, null),
    deliveries: async (org = orgId) =>
      await database.db
        .selectFrom('raw_message')
        .select(['state', 'code', 'parts'])
        .where('org_id', '=', org)
        .orderBy('id')
        .execute(),
    drift: async () => (await findDrift(database, orgId)).reduce((sum, { rows }) => sum + rows, 0),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** An archive of that many reports; their ids begin with the name. */
export function archiveOf(count: number, name = 'doc'): Buffer {
  return zip(Array.from({ length: count }, (_, i) => ({ name: `${i}.xml`, data: reportXml({ id: `${name}-${i}` }) })));
}
