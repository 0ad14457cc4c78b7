import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import type { Exchanged } from './exchanged.ts';
import { MAX_RESPONSE } from './limits.ts';
import type { Query } from './query.ts';
import type { ServerAddress } from './server-address.ts';
import { surveyMessage } from './survey-message.ts';

/**
 * Sends a query from a socket of its own, hence a port that the system picks at random. The socket is connected: what
 * comes from elsewhere never reaches us, and a closed port is told at once. An answer to another question is not ours.
 */
export function exchangeUdp(query: Query, server: ServerAddress, timeoutMs: number): Promise<Exchanged> {
  return new Promise((resolve) => {
    const socket = createSocket(isIPv6(server.address) ? 'udp6' : 'udp4');
    const end = (exchanged: Exchanged) => {
      clearTimeout(timer);
      socket.close();
      socket.removeAllListeners();
      socket.on('error', () => {}); // an error that comes after the end changes nothing
      resolve(exchanged);
    };
    const timer = setTimeout(() => end({ failure: 'timeout', detail: `no answer in ${timeoutMs} ms` }), timeoutMs);
    socket.on('error', (error) => end({ failure: 'network', detail: error.message }));
    socket.on('message', (bytes) => {
      const survey = bytes.length > MAX_RESPONSE ? undefined : surveyMessage(bytes);
      if (survey ? query.isAnsweredBy(survey) : isOfId(bytes, query)) end({ bytes, survey });
    });
    socket.connect(server.port, server.address, () => socket.send(query.bytes));
  });
}

/** An answer that cannot be read has at least to know the id of the question. */
function isOfId(bytes: Buffer, query: Query): boolean {
  return bytes.length >= 2 && bytes.readUInt16BE(0) === query.bytes.readUInt16BE(0);
}
