import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openBlobs, type BlobStore } from '@dmarc-ledger/blobs';
import {
  addDomain,
  createOrganization,
  openClaimant,
  openDimensions,
  releaseReports,
  requeueDeliveries,
  setOrganization,
} from '@dmarc-ledger/ledger';
import { type Database, transact } from '@dmarc-ledger/schema';
import { cloneDatabase, reportMail, reportXml, type ClonedDatabase } from '@dmarc-ledger/testkit';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { receiveMessages, takeIn } from '../src/index.ts';
import { holdStatement } from './held-statement.ts';
import { openMailbox } from './mailboxes.ts';

const SERVER = 'mx.ours.example';
let database: ClonedDatabase;
let blobs: BlobStore;
let orgId: string;
let folder: string;

beforeEach(async () => {
  database = await cloneDatabase();
  ({ id: orgId } = await createOrganization(database.db, { name: 'Org' }));
  folder = await mkdtemp(join(tmpdir(), 'dmarc-ledger-told-'));
  blobs = await openBlobs(pathToFileURL(folder).href);
});
afterEach(async () => {
  await database[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

async function take(on: Database = database, turns = Infinity): Promise<void> {
  const claimant = openClaimant(on);
  const onFault = (message: string, error: unknown) => {
    throw new Error(message, { cause: error });
  };
  const needs = { database: on, blobs, claimant, dimensions: openDimensions(on), onFault };
  for (let turn = 0; turn < turns; turn += 1) if ((await takeIn(needs, null)) === null) break;
  claimant.release();
}

const xmlOf = (domain: string) => reportXml({ id: domain, domain, records: [{ ip: '192.0.2.7', count: 5 }] });
const counted = async () => await database.db.selectFrom('report').select(['domain', 'messages']).execute();

it.each(['waits', 'is being read'])(
  'import --count counts what an earlier import brought that still %s',
  async (how) => {
    const bring = (isReleased: boolean) =>
      receiveMessages({ database, blobs }, orgId, [
        { content: xmlOf('a.example'), source: 'import', name: null, isReleased },
      ]);
    await bring(false);
    await using held = holdStatement(database.url, 'finish-messages');
    const taking = how === 'waits' ? Promise.resolve() : take(held.database);
    if (how !== 'waits') await held.reached; // it is about to end as held
    await bring(true);
    held.letGo();
    await taking;
    await take();
    expect(await counted()).toEqual([{ domain: 'a.example', messages: 5 }]);
  },
);

it('intake release counts a held report that is being read again', async () => {
  const { db } = database;
  await setOrganization(database, orgId, { unauthenticated: 'hold' });
  const mailbox = await openMailbox({ database, blobs, orgId }, { authservIds: [SERVER] });
  await mailbox.bring(reportMail({ xml: xmlOf('a.example'), authenticationResults: `${SERVER}; dmarc=fail` }));
  await take();
  const { id } = await db.selectFrom('raw_message').select('id').executeTakeFirstOrThrow();
  await transact(database, (session) => requeueDeliveries(session, orgId, { messageIds: [id], reportIds: [] }));
  await using held = holdStatement(database.url, 'finish-messages');
  const taking = take(held.database);
  await held.reached; // it is about to end as held once more
  expect(await releaseReports(db, orgId, {})).toBe(1);
  held.letGo();
  await taking;
  await take();
  expect(await counted()).toEqual([{ domain: 'a.example', messages: 5 }]);
});

it('keeps what the server of a shared mailbox has recorded when more of a mail is assigned while it is read', async () => {
  const { db } = database;
  const mailbox = await openMailbox({ database, blobs, orgId }, { shared: true });
  const { id: tenant } = await createOrganization(db, { name: 'Tenant' });
  await addDomain(db, tenant, 'a.example', {});
  const xml = Buffer.concat([xmlOf('a.example'), xmlOf('b.example')]);
  await mailbox.bring(reportMail({ xml, authenticationResults: `${SERVER}; dmarc=pass` }));
  await take(database, 1); // the owner's
  await using held = holdStatement(database.url, 'finish-messages');
  const taking = take(held.database);
  await held.reached; // nobody is believed yet who says that the mail passed
  await sql`update mailbox set authserv_ids = ${[SERVER]}::text[]`.execute(db);
  await addDomain(db, tenant, 'b.example', {});
  const { id } = await db.selectFrom('raw_message').select('id').where('org_id', '=', orgId).executeTakeFirstOrThrow();
  await transact(database, (session) => requeueDeliveries(session, orgId, { messageIds: [id], reportIds: [] }));
  await take(database, 1);
  held.letGo();
  await taking;
  await take();
  const deliveries = await db
    .selectFrom('raw_message')
    .select(['state', 'only_domains', 'mail_facts'])
    .where('org_id', '=', tenant)
    .execute();
  const facts = { authservId: SERVER, dmarc: 'pass' };
  expect(deliveries).toMatchObject([{ state: 'stored', only_domains: ['a.example', 'b.example'], mail_facts: facts }]);
});
