import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { QuotedPrintableDecoder } from '../src/mail/quoted-printable.ts';

const decode = async (text: string, size: number) => {
  const bytes = Buffer.from(text, 'latin1');
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
    bytes.subarray(i * size, (i + 1) * size),
  );
  return (await buffer(Readable.from(pieces).pipe(new QuotedPrintableDecoder()))).toString('latin1');
};

it.each([
  ['text', 'a b\r\nc', 'a b\r\nc'],
  ['escapes in either case', 'a=3D=c3=A9', 'a=\xc3\xa9'],
  ['soft line ends', 'a=\r\nb=\nc', 'abc'],
  ['a soft line end that a relay has padded', 'a= \t\r\nb', 'ab'],
  ['white space that a relay has added', 'a \t\r\nb  ', 'a\r\nb'],
  ['white space within a line', 'a  b\t c', 'a  b\t c'],
  ['what is no escape', 'a=G1 =3 b==3D', 'a=G1 =3 b=='],
  ['an escape that is cut off', 'a=3', 'a=3'],
  ['a soft end of all', 'a=', 'a'],
])('decodes %s, in whatever pieces it comes', async (_, text, wanted) => {
  for (const size of [1, 2, 3, 100]) expect(await decode(text, size)).toBe(wanted);
});
