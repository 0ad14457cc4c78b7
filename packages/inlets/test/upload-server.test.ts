import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { makeUploadServer, type UploadHost } from '@dmarc-ledger/inlets';
import { expect, it, vi } from 'vitest';

it.each([
  ['a body', {}, 'half'],
  [
    'a form',
    { 'content-type': 'multipart/form-data; boundary=b' },
    '--b\r\ncontent-disposition: form-data; name="r"; filename="r.xml"\r\n\r\nhalf',
  ],
])('ends an upload of %s whose sender says nothing any more, and forgets what it had sent', async (_, type, begun) => {
  const ending = Promise.withResolvers<unknown>();
  const server = await makeUploadServer(
    hostOf(async (content) => {
      try {
        await buffer(content);
      } catch (error) {
        ending.resolve(error);
        throw error;
      }
    }),
    { silenceMs: 300 },
  );
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  const headers = { 'content-length': 100_000, ...type };
  const sending = request(`${url}/ingest/v1/reports`, { method: 'POST', headers });
  sending.on('error', () => {});
  const closed = new Promise<void>((resolve) => sending.once('close', resolve));
  sending.write(begun);
  await closed;
  expect(await ending.promise).toBeInstanceOf(Error);
  await server.close();
});

it('refuses a sender with a hundred uploads in progress, until one has ended; others continue', async () => {
  const release = Promise.withResolvers<void>();
  let begun = 0;
  const server = await makeUploadServer(
    hostOf(async () => {
      begun += 1;
      await release.promise;
    }),
  );
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  const post = (organization: string) =>
    fetch(`${url}/ingest/v1/reports`, { method: 'POST', headers: { organization }, body: 'x' });
  const held = Array.from({ length: 100 }, () => post('one'));
  await vi.waitFor(() => expect(begun).toBe(100), { timeout: 30_000 });
  const refused = await post('one');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
  const other = post('other');
  await vi.waitFor(() => expect(begun).toBe(101), { timeout: 30_000 });
  release.resolve();
  const statuses = (await Promise.all([...held, other])).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([202]));
  expect((await post('one')).status).toBe(202);
  await server.close();
});

it('has a place for so many uploads of all organizations together', async () => {
  const release = Promise.withResolvers<void>();
  const server = await makeUploadServer(
    hostOf(() => release.promise),
    { atOnce: { organization: 1, process: 2 } },
  );
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  const post = (organization: string) =>
    fetch(`${url}/ingest/v1/reports`, { method: 'POST', headers: { organization }, body: 'x' });
  const held = [post('one'), post('two')];
  await vi.waitFor(async () => expect((await post('one')).status).toBe(429), { timeout: 30_000 });
  const refused = await post('three');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
  release.resolve();
  expect((await Promise.all(held)).map(({ status }) => status)).toEqual([202, 202]);
  await server.close();
});

it.each([
  ['a body', {}, ''],
  [
    'a form',
    { 'content-type': 'multipart/form-data; boundary=b' },
    '--b\r\ncontent-disposition: form-data; name="r"; filename="r.xml"\r\n\r\n',
  ],
])('ends an upload of %s whose sender is never silent and never done', async (_, type, head) => {
  const ending = Promise.withResolvers<unknown>();
  const server = await makeUploadServer(
    hostOf(async (content) => {
      await buffer(content).catch(ending.resolve);
      throw new Error('it ended');
    }),
    { pace: { graceMs: 100, bytesPerSecond: 1_000_000 } },
  );
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  const headers = { 'content-length': 100_000, ...type };
  const sending = request(`${url}/ingest/v1/reports`, { method: 'POST', headers });
  sending.on('error', () => {});
  const closed = new Promise<void>((resolve) => sending.once('close', resolve));
  sending.write(`${head}half`);
  const drip = setInterval(() => sending.write('.'), 20);
  await closed;
  clearInterval(drip);
  expect(await ending.promise).toBeInstanceOf(Error);
  await server.close();
});

function hostOf(read: (content: AsyncIterable<Uint8Array>) => Promise<void>): UploadHost {
  return {
    admit: async (headers) => headers[headers.indexOf('organization') + 1]!,
    begin: async () => ({
      async receive({ content }) {
        await read(content);
        return { id: 'id', state: 'received' };
      },
      end: async () => {},
    }),
    find: async () => undefined,
    onFault: () => {},
  };
}
