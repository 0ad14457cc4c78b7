import { expect, it } from 'vitest';
import { faultOf } from '../src/mailbox/mailbox-fault.ts';
import { reachHost } from '../src/mailbox/reach-host.ts';

const never = () => new Promise<never>(() => undefined);

it('a host whose resolver never answers is given up in time', async () => {
  const reached = reachHost('imap.example', () => true, AbortSignal.timeout(20), never);
  await expect(reached).rejects.toMatchObject({ code: 'CONNECT_TIMEOUT' });
  expect(faultOf(await reached.catch((error: unknown) => error))).toMatchObject({
    code: 'connect_failed',
    retryable: true,
  });
});

it('a host is not resolved any more for a caller that has ended', async () => {
  await expect(reachHost('imap.example', () => true, AbortSignal.abort(), never)).rejects.toThrow('not resolved');
});

it('a host with one address that is not allowed is not connected to', async () => {
  const both = async () => [{ address: '192.0.2.1' }, { address: '10.0.0.1' }];
  const isAllowed = (address: string) => address.startsWith('192.0.2.');
  const { signal } = new AbortController();
  await expect(reachHost('imap.example', isAllowed, signal, both)).rejects.toMatchObject({ code: 'host_forbidden' });
  const first = async () => [{ address: '192.0.2.1' }];
  expect(await reachHost('imap.example', isAllowed, signal, first)).toEqual({
    host: '192.0.2.1',
    servername: 'imap.example',
  });
});
