import { gzipSync } from 'node:zlib';
import { unpack, type ByteSource } from '@dmarc-ledger/unpack';
import { CodedError } from '@dmarc-ledger/vocabulary';
import { pack } from 'tar-stream';
import { buffer } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { message, part, zip } from './containers.ts';
import { XML } from './open-delivery.ts';

class StoreAway extends CodedError<'store_away'> {
  override readonly retryable = true;
}

/** Bytes of which so many can be had before the store is away. */
function failing(bytes: Buffer, after: number): ByteSource {
  return {
    size: bytes.length,
    async *open(start = 0, end = bytes.length) {
      yield bytes.subarray(start, Math.min(end, after));
      if (end > after) throw new StoreAway('store_away', 'The store is away.');
    },
  };
}

async function tar(): Promise<Buffer> {
  const archive = pack();
  archive.entry({ name: 'a.xml' }, XML);
  archive.finalize();
  return await buffer(archive);
}

const padding = Buffer.alloc(6_000_000, ' ');

it.each<[string, () => Buffer | Promise<Buffer>]>([
  ['a document', () => Buffer.concat([XML, padding])],
  ['a gzip', () => gzipSync(Buffer.concat([XML, padding]), { level: 0 })],
  ['a zip', () => zip([{ name: 'a.xml', data: Buffer.concat([XML, padding]), method: 0 }])],
  ['a tar', async () => Buffer.concat([await tar(), padding])],
  ['a mail', () => Buffer.from(message([part('application/gzip', gzipSync(XML), 'a.xml.gz')]) + ' '.repeat(5_000_000))],
])('does not take a store that fails for %s that is broken', async (_, make) => {
  const bytes = await make();
  const open = async () => {
    const { documents } = await unpack(failing(bytes, 300));
    for (const document of documents) await document.readWhole(20_000_000);
  };
  await expect(open()).rejects.toMatchObject({ code: 'store_away', retryable: true });
});
