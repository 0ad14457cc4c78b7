import { openBlobs } from '@dmarc-ledger/blobs';
import { createOrganization, openClaimant, openDimensions } from '@dmarc-ledger/ledger';
import { cloneDatabase, reportXml } from '@dmarc-ledger/testkit';
import { s3Server } from '@dmarc-ledger/testkit/s3-server';
import { expect, it, vi } from 'vitest';
import { receiveMessages, runIntake } from '../src/index.ts';

it('keeps deliveries queued while the store of their bytes is away, and takes them in when it is back', async () => {
  await using database = await cloneDatabase();
  const server = await s3Server();
  vi.stubEnv('AWS_ACCESS_KEY_ID', server.credentials.accessKeyId);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', server.credentials.secretAccessKey);
  const blobs = await openBlobs(`s3://${server.bucket}?endpoint=${server.endpoint}&path_style=true`);
  const { id: orgId } = await createOrganization(database.db, { name: 'Org' });
  const arrivals = ['a', 'b'].map((id) => ({ content: reportXml({ id }), source: 'file' as const, name: null }));
  await receiveMessages({ database, blobs }, orgId, arrivals);
  const states = async () =>
    (await database.db.selectFrom('raw_message').select(['state', 'attempts_started']).execute()).map(
      ({ state, attempts_started }) => `${state} ${attempts_started}`,
    );

  const key = server.credentials.secretAccessKey;
  server.credentials.secretAccessKey = 'changed'; // the store refuses every key
  const faults: string[] = [];
  const claimant = openClaimant(database);
  const ending = new AbortController();
  const onFault = (_: string, error: unknown) => void faults.push(String(error));
  const running = runIntake(
    { database, blobs, claimant, dimensions: openDimensions(database), onFault },
    ending.signal,
  );
  await vi.waitFor(() => expect(faults.length).toBeGreaterThan(5), { timeout: 30_000 });
  expect(await states()).not.toContainEqual(expect.stringMatching(/stored|refused|quarantined/));
  expect(faults[0]).toMatch(/denies access/);

  server.credentials.secretAccessKey = key;
  await vi.waitFor(async () => expect(await states()).toEqual(['stored 1', 'stored 1']), { timeout: 30_000 });
  ending.abort();
  await running;
  claimant.release();
  await server.close();
  vi.unstubAllEnvs();
});
