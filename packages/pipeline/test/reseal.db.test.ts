import { addMailbox, addTarget, createOrganization, removeMailbox, resealMailboxes } from '@dmarc-ledger/ledger';
import { openSecretBox } from '@dmarc-ledger/secrets';
import { cloneDatabase, type ClonedDatabase } from '@dmarc-ledger/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { resealSecrets, secretPlace, targetSecretPlace } from '../src/index.ts';
import { mailboxSettings } from './mailboxes.ts';

const [OLD, NEW, OTHER] = ['old', 'new', 'other'].map((name) => name.repeat(20)) as [string, string, string];
const [old, both, current, other] = [OLD, `${NEW},${OLD}`, NEW, OTHER].map(openSecretBox);

let database: ClonedDatabase;
let orgId: string;
beforeAll(async () => {
  database = await cloneDatabase();
  ({ id: orgId } = await createOrganization(database.db, { name: 'Org' }));
});
afterAll(() => database[Symbol.asyncDispose]());

let mailboxes = 0;

/** A mailbox whose secrets a key has sealed. */
async function sealedBy(box: typeof old): Promise<string> {
  const id = await addMailbox(database, orgId, {
    ...mailboxSettings,
    username: `user-${(mailboxes += 1)}`,
    auth: 'oauth',
    oauth: null,
    seal: (mailboxId) => box!.seal('secret', secretPlace({ orgId, mailboxId }, 'secret')),
  });
  await database.db
    .updateTable('mailbox')
    .set({ token: box!.seal('token', secretPlace({ orgId, mailboxId: id }, 'token')) })
    .where('id', '=', id)
    .execute();
  return id;
}

async function opened(box: typeof old, mailboxId: string) {
  const { secret, token } = await database.db
    .selectFrom('mailbox')
    .select(['secret', 'token'])
    .where('id', '=', mailboxId)
    .executeTakeFirstOrThrow();
  const key = { orgId, mailboxId };
  return [box!.open(secret, secretPlace(key, 'secret')), box!.open(token!, secretPlace(key, 'token'))];
}

it('seals every secret with the first key, wherever it was ended before', async () => {
  const ids = [];
  for (let i = 0; i < 110; i += 1) ids.push(await sealedBy(old));
  const removed = await sealedBy(old);
  await removeMailbox(database.db, { orgId, mailboxId: removed });
  const strange = await sealedBy(other);
  let looked = 0;
  const ended = resealMailboxes(database, { after: null, limit: 50 }, () => {
    looked += 1;
    if (looked > 10) throw new Error('killed');
    return { secret: Buffer.from('half'), token: null };
  });
  await expect(ended).rejects.toThrow('killed');
  expect(await opened(old, ids[0]!)).toEqual(['secret', 'token']);
  const first = await resealSecrets(database, both!);
  expect(first).toMatchObject({ mailboxes: 111, resealed: 110, failed: [{ code: 'secret_key_unknown' }] });
  for (const id of ids) expect(await opened(current, id)).toEqual(['secret', 'token']);
  expect(await opened(other, strange)).toEqual(['secret', 'token']);
  expect(await resealSecrets(database, both!)).toMatchObject({ mailboxes: 111, resealed: 0 });
});

it('seals the secrets of webhooks likewise', async () => {
  const webhook = {
    kind: 'webhook' as const,
    address: 'https://ops.example/',
    types: [],
    least_severity: 'info' as const,
  };
  const place = (targetId: string) => targetSecretPlace({ orgId, targetId });
  const { id: targetId } = await addTarget(database, orgId, {
    ...webhook,
    seal: (id) => old!.seal('whsec', place(id)),
  });
  const mail = { ...webhook, kind: 'email' as const, address: 'ops@ops.example', seal: () => null };
  await addTarget(database, orgId, mail);
  expect(await resealSecrets(database, both!)).toMatchObject({ webhooks: 1, resealed: 1 });
  expect(await resealSecrets(database, both!)).toMatchObject({ webhooks: 1, resealed: 0 });
  const { secret } = await database.db
    .selectFrom('delivery_target')
    .select('secret')
    .where('id', '=', targetId)
    .executeTakeFirstOrThrow();
  expect(current!.open(secret!, place(targetId))).toBe('whsec');
});
