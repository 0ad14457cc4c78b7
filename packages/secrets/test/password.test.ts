import { expect, it } from 'vitest';
import { hashPassword, isPassword } from '../src/password.ts';

it('knows a password by its hash, and no other', async () => {
  const hash = await hashPassword('a long sentence');
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await isPassword('a long sentence', hash)).toBe(true);
  expect(await isPassword('a long sentencE', hash)).toBe(false);
});

it('hashes the same password differently each time', async () => {
  expect(await hashPassword('twice')).not.toBe(await hashPassword('twice'));
});

it('takes composed and decomposed letters for the same', async () => {
  expect(await isPassword('Zu\u0308rich', await hashPassword('Zürich'))).toBe(true);
});

it.each([null, '', '$argon2id$', 'plain', '$argon2id$v=19$m=8,t=1,p=1$short$short'])(
  'accepts no password for the hash %j',
  async (hash) => {
    expect(await isPassword('anything', hash)).toBe(false);
  },
);
