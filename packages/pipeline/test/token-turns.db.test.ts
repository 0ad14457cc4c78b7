import { addMailbox, createOrganization } from '@dmarc-ledger/ledger';
import { openSecretBox } from '@dmarc-ledger/secrets';
import { cloneDatabase } from '@dmarc-ledger/testkit';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { accessToken, type RequestToken, secretPlace } from '../src/index.ts';
import { mailboxSettings } from './mailboxes.ts';

const secrets = openSecretBox('secret'.repeat(10));
const MAILBOXES = 30;

it('token endpoints that do not answer keep no other organization from the database', async () => {
  await using database = await cloneDatabase();
  const add = async (orgId: string, user: number) => {
    const id = await addMailbox(database, orgId, {
      ...mailboxSettings,
      username: `user-${user}`,
      auth: 'oauth',
      oauth: { tokenUrl: 'https://token.example', clientId: 'client', grant: 'client_credentials', scope: null },
      seal: (mailboxId) =>
        secrets.seal(
          JSON.stringify({ clientSecret: 'secret', refreshToken: null }),
          secretPlace({ orgId, mailboxId }, 'secret'),
        ),
    });
    return { orgId, mailboxId: id };
  };
  const [one, other] = [
    (await createOrganization(database.db, { name: 'One' })).id,
    (await createOrganization(database.db, { name: 'Other' })).id,
  ];
  const answers = Promise.withResolvers<void>();
  const given = { accessToken: 'token', expiresAt: new Date(Date.now() + 3_600_000), refreshToken: null };
  const silent: RequestToken = async () => {
    await answers.promise;
    return given;
  };
  const keys = await Promise.all(Array.from({ length: MAILBOXES }, (_, i) => add(one, i)));
  const waiting = Promise.all(keys.map((key) => accessToken({ database, secrets, requestToken: silent }, key)));
  expect((await sql<{ n: number }>`select 1 as n`.execute(database.db)).rows).toEqual([{ n: 1 }]);
  const requestToken: RequestToken = async () => given;
  expect(await accessToken({ database, secrets, requestToken }, await add(other, 1))).toMatchObject({
    accessToken: 'token',
  });
  answers.resolve();
  expect(await waiting).toHaveLength(MAILBOXES);
});
