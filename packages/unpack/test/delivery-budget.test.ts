import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  bufferSource,
  DeliveryBudget,
  mailAllowance,
  ownersAllowance,
  unpack,
  UnpackError,
  type ByteSource,
} from '../src/index.ts';
import { message, part, zip } from './containers.ts';
import { gz, open, XML } from './open-delivery.ts';

const inner = zip(Array.from({ length: 8 }, (_, i) => ({ name: `${i}.xml`, data: XML })));
const nested = zip(Array.from({ length: 12 }, (_, i) => ({ name: `${i}.zip`, data: inner })));

it('gives of a mail the first 32 documents, however many archives they are in', async () => {
  const { documents, refused } = await open(message([part('application/zip', nested, 'a.zip')]));
  expect([documents.length, refused]).toEqual([32, ['too_many_documents']]);
});

it('gives all documents of an archive that its owner hands in', async () => {
  expect(await open(nested, 'a.zip', ownersAllowance)).toMatchObject({ documents: { length: 96 }, refused: [] });
  const many = zip(Array.from({ length: 1_000 }, (_, i) => ({ name: `${i}.xml`, data: XML })));
  expect(await open(many, 'b.zip', ownersAllowance)).toMatchObject({ documents: { length: 1_000 }, refused: [] });
});

it('measures what comes out against the delivery, not against each member of it', async () => {
  const bomb = { data: Buffer.concat([XML, Buffer.alloc(900_000, ' ')]) }; // below what a small delivery may become
  const bombs = zip(Array.from({ length: 30 }, (_, i) => ({ ...bomb, name: `${i}.xml` })));
  let inflated = 0;
  const refused: string[] = [];
  for await (const document of unpack(bufferSource(zip([{ name: 'a.zip', data: bombs }])))) {
    if (document.kind === 'refused') {
      refused.push(document.code);
      continue;
    }
    try {
      inflated += (await document.readWhole(8_000_000))!.bytes.length;
    } catch (error) {
      refused.push(error instanceof UnpackError ? error.code : String(error));
    }
  }
  expect(refused).toEqual(['inflation_ratio']);
  expect(inflated).toBeLessThanOrEqual(1_000_000);
});

it('opens a member of an archive only when it is asked for', async () => {
  const data = Buffer.concat([XML, Buffer.from(Array.from({ length: 100_000 }, (_, i) => (i * 7919) % 251))]);
  const bytes = zip(Array.from({ length: 60 }, (_, i) => ({ name: `${i}.xml`, data, method: 0 })));
  function* given(start: number, end: number) {
    for (let at = start; at < end; at += 4_096) {
      const piece = bytes.subarray(at, Math.min(end, at + 4_096));
      source.given += piece.length;
      yield piece;
    }
  }
  const source: ByteSource & { given: number } = {
    size: bytes.length,
    given: 0,
    open: (start = 0, end = bytes.length) => Readable.from(given(start, end), { objectMode: false }),
  };
  let seen = 0;
  for await (const document of unpack(source, { allowance: ownersAllowance })) {
    expect(document.kind).toBe('xml');
    seen += 1;
    if (seen === 3) break;
  }
  expect(source.given).toBeLessThan(bytes.length / 5);
});

it('reads a large document once, though it is first tried whole', async () => {
  const text = Buffer.from(Array.from({ length: 300_000 }, (_, i) => `<a>${i * 7919}</a>`).join(''));
  const packed = gzipSync(Buffer.concat([XML, text]));
  const unpacking = unpack(bufferSource(packed));
  for await (const document of unpacking) {
    if (document.kind === 'refused') throw new Error(document.message);
    const chunks: Buffer[] = [];
    expect(await document.readWhole(2_000_000)).toBeNull();
    for await (const chunk of document.open()) chunks.push(chunk);
    expect(Buffer.concat(chunks).equals(Buffer.concat([XML, text]))).toBe(true);
  }
});

it('refuses a gzip of thousands of members that hold nothing', async () => {
  const nothing = gzipSync('');
  const delivery = Buffer.concat([...Array.from({ length: 60_000 }, () => nothing), gz]);
  expect((await open(delivery)).refused).toEqual(['archive_too_many_entries']);
});

it('opens messages inside messages only as far as they are worth it', async () => {
  const padding = `Content-Type: text/plain\r\n\r\n${`${'x'.repeat(998)}\r\n`.repeat(16_000)}`;
  let mail = message([part('application/gzip', gz, 'a.gz'), padding], undefined, 'd0');
  for (let depth = 1; depth < 8; depth += 1)
    mail = message([`Content-Type: message/rfc822\r\n\r\n${mail}`], undefined, `d${depth}`);
  expect((await open(mail)).refused).toEqual(['message_too_large']);
});

const members = (data: Buffer) => Array.from({ length: 6 }, (_, i) => ({ name: `${i}.xml`, data }));
const long = Buffer.concat([XML, Buffer.from(Array.from({ length: 200_000 }, (_, i) => (i * 7919) % 251))]);

it.each([
  ['an archive', zip(members(XML)), 'a.zip'],
  ['an archive of long documents', zip(members(long)), 'a.zip'],
  ['archives in an archive', zip([1, 2, 3].map((i) => ({ name: `${i}.zip`, data: zip(members(XML)) }))), 'a.zip'],
  ['a mail', Buffer.from(message([1, 2, 3].map((i) => part('application/gzip', gz, `${i}.xml.gz`)))), undefined],
])('stops reading %s wherever the stop comes, and refuses nothing that it did not read', async (_, bytes, name) => {
  const stopped = new Error('the process is stopping');
  for (let reads = 1; reads <= 12; reads += 1) {
    const stop = new AbortController();
    let left = reads;
    const source: ByteSource = {
      size: bytes.length,
      open(start = 0, end = bytes.length) {
        if ((left -= 1) === 0) stop.abort(stopped);
        return Readable.from([bytes.subarray(start, end)], { objectMode: false });
      },
    };
    const unpacking = unpack(source, { name, allowance: ownersAllowance });
    unpacking.budget.stopOn(stop.signal);
    const refused: string[] = [];
    const walk = async () => {
      for await (const document of unpacking) {
        if (document.kind === 'refused') refused.push(document.code);
        else await document.readWhole(1_000_000);
      }
    };
    const ended = await walk().catch((error: unknown) => error);
    expect(ended).toBe(left <= 0 ? stopped : undefined);
    expect(refused).toEqual([]);
  }
});

it('gives each of several reports in an archive, and says that there are several', async () => {
  const { documents } = await open(zip(['1.xml', '2.xml'].map((name) => ({ name, data: XML }))));
  expect(documents.map(({ warnings }) => warnings)).toEqual([['zip_multiple_members'], ['zip_multiple_members']]);
});

it('refuses an attachment that is larger than a report may be', async () => {
  const lines = `${'x'.repeat(98)}\r\n`.repeat(265_000); // more than 25 MiB, without an encoding that adds to it
  const large = `Content-Type: application/gzip; name=large.gz\r\n\r\n${lines}`;
  expect(await open(message([large]))).toMatchObject({ documents: [], refused: ['attachment_too_large'] });
});

it('ends a delivery of more records than any brings', () => {
  const meter = new DeliveryBudget(1_000, ownersAllowance).recordMeter();
  meter.reach(2_000_000);
  expect(() => meter.reach(2_000_001)).toThrow(expect.objectContaining({ code: 'too_many_records' }));
});

describe('documents that can only be read in one go', () => {
  it('are those of a mail up to half a MiB, or 75 times its size', () => {
    const small = new DeliveryBudget(3_000, mailAllowance);
    expect([400_000, 200_000, 100_000].map((bytes) => small.mayReadAtOnce(bytes))).toEqual([true, false, true]);
    const large = new DeliveryBudget(100_000, mailAllowance);
    expect([7_500_000, 1].map((bytes) => large.mayReadAtOnce(bytes))).toEqual([true, false]);
  });

  it('are all those that the owner sends', () => {
    const budget = new DeliveryBudget(3_000, ownersAllowance);
    expect(Array.from({ length: 100 }, () => budget.mayReadAtOnce(8_000_000))).not.toContain(false);
  });
});
