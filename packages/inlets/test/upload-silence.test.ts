import { request } from 'node:http';
import { makeUploadServer } from '@dmarc-ledger/inlets';
import { expect, it } from 'vitest';

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
    {
      admit: async () => 'org',
      async receive(_orgId, { content }) {
        try {
          for await (const _piece of content);
        } catch (error) {
          ending.resolve(error);
          throw error;
        }
        return expect.unreachable('it was never sent to its end');
      },
      find: async () => undefined,
      onFault: () => {},
    },
    300,
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
