import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openBlobs, type BlobStore } from '@dmarc-ledger/blobs';
import { createKey, createOrganization, enterMessages } from '@dmarc-ledger/ledger';
import { openLogger, openMetrics, type Metrics } from '@dmarc-ledger/runtime';
import { cloneDatabase, reportXml, type ClonedDatabase } from '@dmarc-ledger/testkit';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startIngester, type RunningIngester } from '../src/service.ts';

const PATIENCE = { timeout: 30_000 };
let database: ClonedDatabase;
let folder: string;
let blobs: BlobStore;
let ingester: RunningIngester;
let orgId: string;
let key: string;
let metrics: Metrics;
const lines: string[] = [];

beforeAll(async () => {
  database = await cloneDatabase();
  ({ id: orgId } = await createOrganization(database.db, { name: 'Figures' }));
  ({ key } = await createKey(database.db, orgId, { scope: 'ingest' }));
  folder = await mkdtemp(join(tmpdir(), 'dmarc-ledger-blobs-'));
  blobs = await openBlobs(pathToFileURL(folder).href);
  metrics = await openMetrics({ service: 'ingester', version: '1.2.3' });
  const log = openLogger({ name: 'ingester', level: 'debug', to: { write: (line) => void lines.push(line) } });
  ingester = await startIngester({ database, blobs, log, metrics, upload: { host: '127.0.0.1', port: 0 } });
});
afterAll(async () => {
  await ingester.close();
  metrics.close();
  await database[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

it('counts every delivery by its end, and all that was known, refused or set aside', async () => {
  const report = reportXml({ id: 'one', records: [{ ip: '192.0.2.7', count: 3 }] });
  await upload(report, 1);
  await upload(report, 1); // the very same delivery
  await upload(Buffer.concat([Buffer.from('\n'), report]), 2); // other bytes under a known identity
  await upload(Buffer.from('{"no": "report"}'), 3);
  await poison();
  await finished(4);
  // counted after the commit that ends a delivery
  await vi.waitFor(async () => {
    expect(await values('quarantined_total')).toEqual({ '': 1 });
    expect(await values('ingest_messages_total')).toEqual({
      'upload stored': 1,
      'upload duplicate': 1,
      'upload refused': 1,
      'file quarantined': 1,
    });
    expect(await values('duplicate_total')).toEqual({ delivery: 1 });
    expect(await values('report_conflict_total')).toEqual({ '': 1 });
    expect(await values('ingest_refused_total')).toEqual({ not_a_report: 1 });
  }, PATIENCE);
  expect(await values('blob_disk_free_ratio')).toEqual({ '': expect.any(Number) });
});

it('logs how each delivery ended, by its id, as a warning only where attention is needed', async () => {
  const endings = () =>
    lines.map((line) => JSON.parse(line)).filter(({ event }) => String(event).startsWith('message.'));
  await vi.waitFor(
    () =>
      expect(
        endings()
          .map(({ event, level }) => `${level} ${event}`)
          .toSorted(),
      ).toEqual([
        'debug message.duplicate',
        'debug message.stored',
        'info message.refused',
        'warn message.quarantined',
      ]),
    PATIENCE,
  );
  for (const line of endings()) expect(line).toMatchObject({ orgId, id: expect.any(String) });
});

/** Receives bytes, and waits until so many deliveries have ended. */
async function upload(body: Buffer, ended: number): Promise<void> {
  const headers = { authorization: `Bearer ${key}` };
  const options = { method: 'POST', headers, body: new Uint8Array(body) };
  expect((await fetch(`${ingester.uploadUrl}/ingest/v1/reports`, options)).status).toBe(202);
  await finished(ended);
}

async function finished(count: number): Promise<void> {
  const ended = () => database.db.selectFrom('raw_message').select('id').where('finished_at', 'is not', null).execute();
  await vi.waitFor(async () => expect(await ended()).toHaveLength(count), PATIENCE);
}

/** A delivery whose reading was begun three times and never ended. */
async function poison(): Promise<void> {
  const content = await blobs.put(Buffer.from('poison'));
  await database.db.transaction().execute(async (db) => {
    const [message] = await enterMessages(db, orgId, [{ ...content, source: 'file', name: null }]);
    await db.updateTable('raw_message').set({ attempts_started: 3 }).where('id', '=', message!.id).execute();
  });
}

/** The values of a metric, by its labels without the service's. */
async function values(name: string): Promise<{ [labels: string]: number }> {
  const { values: found } = (await metrics.registry.getMetricsAsJSON()).find((metric) => metric.name === name)!;
  return Object.fromEntries(
    found.map(({ labels, value }) => [
      Object.entries(labels)
        .filter(([label]) => label !== 'service')
        .map(([, text]) => text)
        .join(' '),
      value,
    ]),
  );
}
