import { buffer } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { readMbox } from '../src/files/read-mbox.ts';
import { inPieces } from './delivered.ts';

const FROM = 'From dmarc@reporter.example Thu Jan  1 00:00:00 2026';

async function mailsIn(mbox: string, size = 7): Promise<string[]> {
  const mails: string[] = [];
  for await (const { content } of readMbox('m', inPieces(Buffer.from(mbox, 'latin1'), size)))
    mails.push((Buffer.isBuffer(content) ? content : await buffer(content)).toString('latin1'));
  return mails;
}

it.each<[string, string, string[]]>([
  ['one mail', `${FROM}\nSubject: a\n\nbody\n\n`, ['Subject: a\n\nbody\n']],
  ['the last mail without an empty line after it', `${FROM}\na\n`, ['a\n']],
  ['the last mail without the end of its line', `${FROM}\na`, ['a']],
  ['two mails', `${FROM}\na\n\n${FROM}\nb\n\n`, ['a\n', 'b\n']],
  ['lines that end as in a mail', `${FROM}\r\na\r\n\r\n${FROM}\r\nb\r\n\r\n`, ['a\r\n', 'b\r\n']],
  ['a line From that follows no empty line', `${FROM}\na\nFrom here on\nb\n`, ['a\nFrom here on\nb\n']],
  [
    'a quoted line, and one quoted twice',
    `${FROM}\na\n\n>From here\n>>From there\n`,
    ['a\n\nFrom here\n>From there\n'],
  ],
  ['a quoting sign before anything else', `${FROM}\n> said\n>Fromage\n>\n`, ['> said\n>Fromage\n>\n']],
  ['empty lines inside and at the end of a mail', `${FROM}\na\n\n\n\n${FROM}\nb\n`, ['a\n\n\n', 'b\n']],
  ['bytes that are no text', `${FROM}\n\xff\xfe\x00\n`, ['\xff\xfe\x00\n']],
])('reads %s', async (_, mbox, mails) => {
  expect(await mailsIn(mbox)).toEqual(mails);
});

it('reads the same however the bytes are cut', async () => {
  const mbox = `${FROM}\r\na\r\n\r\n>From x\r\n\r\n${FROM}\nb\n\n\n${FROM}\nc`;
  const whole = await mailsIn(mbox, mbox.length);
  expect(whole).toHaveLength(3);
  for (let size = 1; size < 20; size += 1) expect(await mailsIn(mbox, size)).toEqual(whole);
});

it('names each mail by its number', async () => {
  const names = [];
  for await (const { name } of readMbox('box', inPieces(Buffer.from(`${FROM}\na\n\n${FROM}\nb\n`), 9)))
    names.push(name);
  expect(names).toEqual(['box#1', 'box#2']);
});
