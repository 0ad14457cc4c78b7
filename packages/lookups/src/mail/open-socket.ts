import { once } from 'node:events';
import { connect, type LookupFunction, type Socket } from 'node:net';

/** How long one address of several is tried. */
const ADDRESS_MS = 3_000;

/**
 * Connects to a host within the time: its addresses are tried in turn, so that one that is away delays and prevents
 * nothing. The socket is destroyed when the signal is aborted, also later.
 * @throws the error of the network, or one with code `ETIMEDOUT`
 */
export async function openSocket(
  place: { host: string; port: number; lookup?: LookupFunction },
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Socket> {
  const socket = connect({ ...place, signal, autoSelectFamilyAttemptTimeout: ADDRESS_MS });
  socket.on('error', () => undefined); // what uses the socket hears of it too
  const inTime = AbortSignal.timeout(timeoutMs);
  try {
    await once(socket, 'connect', { signal: inTime });
    return socket;
  } catch (error) {
    socket.destroy();
    throw inTime.aborted ? Object.assign(new Error('no connection in time'), { code: 'ETIMEDOUT' }) : error;
  }
}
