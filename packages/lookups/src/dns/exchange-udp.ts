import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import type { Exchanged } from './exchanged.ts';
import { MAX_RESPONSE } from './limits.ts';
import type { Query } from './query.ts';
import type { ServerAddress } from './server-address.ts';
import { surveyMessage } from './survey-message.ts';

/**
 * Sends a query from its own socket, whose port the system picks at random. The socket is connected: datagrams from
 * elsewhere are dropped, and a closed port is reported at once. Answers to other questions are ignored.
 */
export function exchangeUdp(query: Query, server: ServerAddress, timeoutMs: number): Promise<Exchanged> {
  return new Promise((resolve) => {
    const socket = createSocket(isIPv6(server.address) ? 'udp6' : 'udp4');
    const end = (exchanged: Exchanged) => {
      clearTimeout(timer);
      socket.close();
      socket.removeAllListeners();
      socket.on('error', () => {}); // an error after the end changes nothing
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

/** An answer that cannot be parsed must at least have the question's id. */
function isOfId(bytes: Buffer, query: Query): boolean {
  return bytes.length >= 2 && bytes.readUInt16BE(0) === query.bytes.readUInt16BE(0);
}
