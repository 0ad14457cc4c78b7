import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { unpack, type ByteSource } from '@dmarc-ledger/unpack';
import { CodedError } from '@dmarc-ledger/vocabulary';
import { pack } from 'tar-stream';
import { buffer } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { message, part, zip } from './containers.ts';
import { XML } from './open-delivery.ts';

const padding = Buffer.alloc(6_000_000, ' ');

class StoreAway extends CodedError<'store_away'> {
  override readonly retryable = true;
}

/** Bytes from a store that fails after so many bytes, over all readings. */
function failing(bytes: Buffer, budget: number): ByteSource & { given: number } {
  async function* read(start: number, end: number) {
    for (let at = start; at < end; at += 65_536) {
      const chunk = bytes.subarray(at, Math.min(end, at + 65_536));
      source.given += chunk.length;
      if (source.given > budget) throw new StoreAway('store_away', 'The store is away.');
      yield chunk;
    }
  }
  const source = {
    size: bytes.length,
    given: 0,
    open: (start = 0, end = bytes.length) => Readable.from(read(start, end), { objectMode: false }),
  };
  return source;
}

async function readAll(source: ByteSource): Promise<void> {
  for await (const document of unpack(source)) if (document.kind !== 'refused') await document.readWhole(20_000_000);
}

async function tar(): Promise<Buffer> {
  const archive = pack();
  archive.entry({ name: 'a.xml' }, Buffer.concat([XML, padding]));
  archive.finalize();
  return await buffer(archive);
}

it.each<[string, () => Buffer | Promise<Buffer>]>([
  ['a document', () => Buffer.concat([XML, padding])],
  ['a gzip', () => gzipSync(Buffer.concat([XML, padding]), { level: 0 })],
  ['a zip', () => zip([{ name: 'a.xml', data: Buffer.concat([XML, padding]), method: 0 }])],
  [
    'a zip with text behind it',
    () =>
      Buffer.concat([zip([{ name: 'a.xml', data: Buffer.concat([XML, padding]), method: 0 }]), Buffer.from('text')]),
  ],
  ['a tar', tar],
  ['a mail', () => Buffer.from(message([part('application/gzip', gzipSync(XML), 'a.xml.gz')]) + ' '.repeat(5_000_000))],
])('does not take a store that fails for %s that is broken', async (_, make) => {
  const bytes = await make();
  const whole = failing(bytes, Infinity);
  await readAll(whole);
  const budgets = [300, 5_000, ...[0.2, 0.4, 0.6, 0.8].map((part) => part * whole.given)];
  for (const budget of budgets)
    await expect(readAll(failing(bytes, budget))).rejects.toMatchObject({ code: 'store_away', retryable: true });
});
