import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/** The behaviour of a server towards a client. */
export type Manner = (socket: Socket) => void;

/** A server on loopback with only this behaviour. */
export async function rudeServer(manner: Manner, { address = '127.0.0.1', port = 0 } = {}) {
  const sockets = new Set<Socket>();
  const said: string[] = [];
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)));
    socket.on('data', (bytes) => said.push(bytes.toString('latin1')));
    manner(socket);
  });
  server.listen(port, address);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    /** What it received, in plain text. */
    said: () => said.join(''),
    /** Open connections. */
    open: () => sockets.size,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Sends these lines in turn, each after something was received; the first at once. */
export const says =
  (lines: readonly string[], then: Manner = () => {}): Manner =>
  (socket) => {
    const [first = '', ...others] = lines;
    socket.write(first);
    socket.on('data', () => {
      const next = others.shift();
      if (next === undefined) return;
      socket.write(next);
      if (others.length === 0) then(socket);
    });
  };

export const greeting = '220 mx.test ESMTP\r\n';
export const offer = '250-mx.test greets you\r\n250-SIZE 1000\r\n250 STARTTLS\r\n';

/** Sends something repeatedly, at once or at intervals. */
export const repeats =
  (text: string, everyMs = 0): Manner =>
  (socket) => {
    const timer = setInterval(() => socket.write(text), everyMs);
    socket.on('close', () => clearInterval(timer));
  };

/** Continues with TLS. */
export const secures =
  (options: { cert: string; key: string } | { maxVersion: 'TLSv1.1'; minVersion: 'TLSv1' }): Manner =>
  (socket) => {
    socket.removeAllListeners('data');
    new TLSSocket(socket, { isServer: true, ...options }).on('error', () => {}).resume();
  };
