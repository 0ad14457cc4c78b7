import type { Socket } from 'node:net';

/**
 * Waits for work that has a limit of its own, and meanwhile keeps a connection on which nothing is sent: the limit of
 * silence is for clients that are gone.
 */
export async function whileWaiting<Result>(socket: Socket, work: () => Promise<Result>): Promise<Result> {
  const silenceMs = socket.timeout ?? 0;
  socket.setTimeout(0);
  try {
    return await work();
  } finally {
    socket.setTimeout(silenceMs);
  }
}
