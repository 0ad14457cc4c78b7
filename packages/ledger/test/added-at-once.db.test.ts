import {
  addMailbox,
  addTarget,
  createOrganization,
  listMailboxes,
  listTargets,
  setOrganization,
} from '@dmarc-ledger/ledger';
import { cloneDatabase, type ClonedDatabase } from '@dmarc-ledger/testkit';
import { newId } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

let database: ClonedDatabase;
let orgId: string;

beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());
beforeEach(async () => {
  orgId = (await createOrganization(database.db, { name: newId() })).id;
});

const target = (address: string) => ({
  kind: 'email' as const,
  address,
  types: [],
  least_severity: 'info' as const,
  seal: () => null,
});
const mailbox = (username: string) => ({
  host: 'imap.example.com',
  port: 993,
  tls: 'implicit' as const,
  ca: null,
  username,
  folder: 'INBOX',
  auth: 'password' as const,
  oauth: null,
  after_intake: 'move' as const,
  processed_folder: 'Processed',
  refused_folder: 'Refused',
  shared: false,
  authserv_ids: [],
  seal: () => Buffer.from('sealed'),
});

/** Runs the changes so that none has written a row of the table before all of them have begun. */
async function atOnce(table: 'delivery_target' | 'mailbox', changes: (() => Promise<string>)[]): Promise<string[]> {
  const { db } = database;
  const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  const { begun } = await db.transaction().execute(async (trx) => {
    await sql`lock table ${sql.table(table)} in share mode`.execute(trx);
    const all = changes.map((change) => change().catch(({ code }: { code: string }) => code));
    await expect.poll(async () => (await waiting.execute(db)).rows.length).toBe(changes.length);
    return { begun: Promise.all(all) };
  });
  return await begun;
}

it('a target or a mailbox that two commands add at once is one', async () => {
  const { db } = database;
  const add = async () => (await addTarget(database, orgId, target('ops@example.com'))).id;
  const targets = await atOnce('delivery_target', [add, add]);
  expect((await listTargets(db, orgId)).map(({ id }) => [id, id])).toEqual([targets]);

  const addBox = () => addMailbox(database, orgId, mailbox('reports@example.com'));
  const mailboxes = await atOnce('mailbox', [addBox, addBox]);
  expect((await listMailboxes(db, orgId)).map(({ id }) => [id, id])).toEqual([mailboxes]);
});

it('an organization has no more targets and mailboxes than people may add, however many are added at once', async () => {
  const { db } = database;
  const addresses = ['a@example.com', 'b@example.com', 'c@example.com'];
  const add = async (address: string) => (await addTarget(database, orgId, target(address), { most: 2 })).id;
  const targets = await atOnce(
    'delivery_target',
    addresses.map((address) => () => add(address)),
  );
  expect(targets.filter((outcome) => outcome === 'too_many')).toHaveLength(1);
  const [known] = await listTargets(db, orgId);
  expect(await add(known?.address ?? '')).toBe(known?.id); // it is there already

  const addBox = (username: string) => addMailbox(database, orgId, mailbox(username), { most: 2 });
  const mailboxes = await atOnce(
    'mailbox',
    addresses.map((address) => () => addBox(address)),
  );
  expect(mailboxes.filter((outcome) => outcome === 'too_many')).toHaveLength(1);
});

it('an organization is not given the name of another', async () => {
  const { name } = await createOrganization(database.db, { name: newId() });
  await expect(setOrganization(database, orgId, { name })).rejects.toMatchObject({ code: 'organization_exists' });
  expect(await setOrganization(database, orgId, { name: `${name} too` })).toMatchObject({ name: `${name} too` });
});
