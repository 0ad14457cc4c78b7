import { connect } from 'node:net';
import type { Exchanged } from './exchanged.ts';
import { MAX_RESPONSE } from './limits.ts';
import type { Query } from './query.ts';
import type { ServerAddress } from './server-address.ts';
import { surveyMessage } from './survey-message.ts';

/** Sends a query over its own connection and reads the one answer (RFC 7766, section 8). */
export function exchangeTcp(query: Query, server: ServerAddress, timeoutMs: number): Promise<Exchanged> {
  return new Promise((resolve) => {
    const socket = connect({ host: server.address, port: server.port, noDelay: true });
    const end = (exchanged: Exchanged) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(exchanged);
    };
    const timer = setTimeout(() => end({ failure: 'timeout', detail: `no answer in ${timeoutMs} ms` }), timeoutMs);
    let received = Buffer.alloc(0);
    socket.on('error', (error) => end({ failure: 'network', detail: error.message }));
    socket.on('close', () => end({ failure: 'network', detail: 'the connection was closed before the answer' }));
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (received.length < 2) return;
      const length = received.readUInt16BE(0);
      if (length > MAX_RESPONSE) return end({ failure: 'malformed', detail: `an answer of ${length} bytes` });
      if (received.length >= 2 + length) end(readAnswer(query, received.subarray(2, 2 + length)));
    });
    const length = Buffer.alloc(2);
    length.writeUInt16BE(query.bytes.length);
    socket.write(Buffer.concat([length, query.bytes]));
  });
}

function readAnswer(query: Query, bytes: Buffer): Exchanged {
  const survey = surveyMessage(bytes);
  if (survey && !query.isAnsweredBy(survey))
    return { failure: 'malformed', detail: 'the answer belongs to another question' };
  return { bytes, survey };
}
