import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { openQueues, type Queues } from '@dmarc-ledger/queues';
import { emptyDatabase, faultProxy, type FaultProxy } from '@dmarc-ledger/testkit';
import { newId } from '@dmarc-ledger/vocabulary';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { isIdle, patient, SHORT, work } from './work.ts';

const orgId = newId();
const align = () => ({ job: 'alignReports', payload: { orgId, reportIds: [newId()] } });

let database: Awaited<ReturnType<typeof emptyDatabase>>;
let line: FaultProxy;
let queues: Queues;

beforeEach(async () => {
  database = await emptyDatabase();
  line = await faultProxy(Number(new URL(database.url).port));
  queues = await openQueues({ databaseUrl: throughLine() });
});
afterEach(async () => {
  await queues.close();
  await line.close();
  await database[Symbol.asyncDispose]();
});

it('refuses work while PostgreSQL is away, and takes it once it is back', async () => {
  goAway();
  await expect(queues.addAll([align()])).rejects.toMatchObject({ code: 'queue_unavailable', retryable: true });
  comeBack();
  await vi.waitFor(() => queues.addAll([align()]), patient);
  let done = 0;
  await work(queues, { alignReports: async () => void (done += 1) }, { timing: SHORT });
  await isIdle(queues);
  expect(done).toBe(1);
});

it('says that PostgreSQL is away when it is to be served, or opened', async () => {
  goAway();
  await expect(openQueues({ databaseUrl: throughLine() })).rejects.toMatchObject({ code: 'queue_unavailable' });
  await expect(work(queues, {})).rejects.toMatchObject({ code: 'queue_unavailable' });
  comeBack();
});

it('does what is added after many short outages of PostgreSQL', async () => {
  let done = 0;
  await work(queues, { alignReports: async () => void (done += 1) }, { timing: SHORT });
  for (let times = 1; times <= 40; times += 1) {
    goAway();
    await sleep(Math.random() * 40);
    comeBack();
    await sleep(Math.random() * 200);
  }
  for (let times = 1; times <= 3; times += 1) {
    await vi.waitFor(() => queues.addAll([align()]), patient);
    await vi.waitFor(() => expect(done).toBe(times), patient);
  }
});

it('hears at once of what is added after PostgreSQL has ended connections in the same breath as it answered', async () => {
  await using curt = await curtLine(Number(new URL(database.url).port));
  const shaken = await openQueues({ databaseUrl: through(curt.port) });
  let done = 0;
  const does = async () => void (done += 1);
  await work(
    shaken,
    { alignReports: does, repairRollups: does, judgeSources: does, enrichAddresses: does },
    { timing: SHORT },
  );
  curt.ends = 0.5;
  await sleep(5_000);
  curt.ends = 0;
  // a worker that was not notified would check for work every five seconds, and not finish in time
  for (let times = 1; times <= 30; times += 1) {
    const entries = [
      align(),
      { job: 'repairRollups', payload: { orgId } },
      { job: 'judgeSources', payload: { orgId, addresses: ['192.0.2.1'] } },
      { job: 'enrichAddresses', payload: { addresses: ['192.0.2.1'] } },
    ];
    await vi.waitFor(() => shaken.addAll(entries), patient);
    await isIdle(shaken);
    expect(done).toBeGreaterThanOrEqual(times * entries.length);
  }
  await shaken.close();
}, 120_000);

function throughLine(): string {
  return through(line.port);
}

function through(port: number): string {
  return Object.assign(new URL(database.url), { hostname: '127.0.0.1', port: String(port) }).href;
}

function goAway(): void {
  line.toxic.refuse = true;
  line.cutAll();
}

function comeBack(): void {
  line.toxic.refuse = false;
}

/**
 * A connection on which a part of the answers, 0 to 1, is followed at once by the message that an administrator ends
 * it.
 */
async function curtLine(target: number): Promise<{ port: number; ends: number } & AsyncDisposable> {
  const fields = 'SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0';
  const word = Buffer.concat([Buffer.from('E'), Buffer.alloc(4), Buffer.from(fields)]);
  word.writeInt32BE(word.length - 1, 1);
  const server = createServer((client) => {
    const inner = connect(target, '127.0.0.1');
    for (const [from, to] of [
      [client, inner],
      [inner, client],
    ] as const) {
      from.on('error', () => to.destroy()).on('close', () => to.destroy());
    }
    client.pipe(inner);
    inner.on('data', (piece) => {
      const isAnswer = piece.subarray(-6).toString('latin1') === 'Z\0\0\0\x05I';
      if (isAnswer && Math.random() < proxy.ends) client.end(Buffer.concat([piece, word]));
      else client.write(piece);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const proxy = { port, ends: 0, [Symbol.asyncDispose]: async () => void server.close() };
  return proxy;
}
