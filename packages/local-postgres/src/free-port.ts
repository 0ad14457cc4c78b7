import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that systems give to connections: Linux from 32768, others from 49152. */
const PORTS = { from: 20_000, to: 30_000 };
const TRIES = 100;

/**
 * A port of the loopback address that is free at the moment, and that no connection is given before a server opens it.
 *
 * @throws when no such port is free
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = randomInt(PORTS.from, PORTS.to);
    if (await isFree(port)) return port;
  }
  throw new Error(`None of ${TRIES} ports between ${PORTS.from} and ${PORTS.to} is free.`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
