import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { listeningPort } from './listening-port.ts';

const HOST = '127.0.0.1';
const TRIES = 5;

/** Starts a listener on a port for UDP and TCP; on another port when another process has taken it. */
export async function onDnsPort<Started>(start: (port: number) => Promise<Started>): Promise<Started> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start(await freeDnsPort());
    } catch (error) {
      if (attempt === TRIES) throw error;
    }
  }
}

/** A port at which nothing listens for UDP, nor for TCP. */
export async function freeDnsPort(): Promise<number> {
  const server = createServer().listen(0, HOST);
  await once(server, 'listening');
  const port = listeningPort(server);
  const socket = createSocket('udp4').bind(port, HOST);
  const isFree = await once(socket, 'listening').then(
    () => true,
    () => false,
  );
  if (isFree) await new Promise<void>((resolve) => void socket.close(() => resolve()));
  server.close();
  await once(server, 'close');
  return isFree ? port : await freeDnsPort();
}
