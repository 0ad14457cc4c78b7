import { expect, it } from 'vitest';
import { bufferSource, unpack } from '../src/index.ts';
import { message, part, zip } from './containers.ts';
import { LIMIT, XML } from './open-delivery.ts';

const FILLING = Buffer.alloc(400_000, 'some words\r\n');
const stored = zip([
  { name: 'a.xml', data: XML, method: 0 },
  { name: 'z.bin', data: FILLING, method: 0 },
]);
const plain = (type: string, body: string) => `Content-Type: ${type}\r\n\r\n${body}`;

it.each([
  ['a stored member of a zip', stored],
  ['a stored member of a zip in a mail', message([part('application/zip', stored, 'a.zip')])],
  ['a report pasted into a text', message([plain('text/plain', `${XML.toString()}\r\n${FILLING.toString()}`)])],
  [
    'an attachment without encoding',
    message([plain('application/xml', XML.toString()), plain('text/plain', String(FILLING))]),
  ],
])('a document that was read keeps nothing of the delivery around it: %s', async (_, delivery) => {
  const held: number[] = [];
  for await (const found of unpack(bufferSource(Buffer.from(delivery)), {})) {
    if (found.kind === 'refused') continue;
    const whole = await found.readWhole(LIMIT);
    held.push(whole?.bytes.buffer.byteLength ?? NaN);
  }
  expect(held).toHaveLength(1);
  expect(held[0]).toBeLessThanOrEqual(Buffer.poolSize);
});
