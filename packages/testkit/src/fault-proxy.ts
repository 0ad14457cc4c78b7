import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { FaultyLine } from './faulty-line.ts';
import { listeningPort } from './listening-port.ts';
import type { Toxic } from './toxic.ts';

/** A proxy of a server on loopback, with faults that a test decides. */
export interface FaultProxy extends AsyncDisposable {
  port: number;
  toxic: Toxic;
  /** How many connections are open. */
  connections(): number;
  /** How often a connection was ended on purpose. */
  ended(): number;
  /** Ends all connections at once. */
  cutAll(): void;
  close(): Promise<void>;
}

export async function faultProxy(targetPort: number): Promise<FaultProxy> {
  const toxic: Toxic = {};
  const lines = new Set<FaultyLine>();
  let ended = 0;
  const server = createServer((client) => {
    if (toxic.refuse) return void client.resetAndDestroy();
    const line = new FaultyLine(client, connect(targetPort, '127.0.0.1'), toxic, () => (ended += 1));
    lines.add(line);
    void line.run().finally(() => lines.delete(line));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cutAll = () => lines.forEach((line) => line.reset());
  const close = async () => {
    cutAll();
    if (!server.listening) return;
    server.close();
    await once(server, 'close');
  };
  const port = listeningPort(server);
  return {
    port,
    toxic,
    connections: () => lines.size,
    ended: () => ended,
    cutAll,
    close,
    [Symbol.asyncDispose]: close,
  };
}
