import { hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  paginateListObjectsV2,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import type { Blob, BlobStore, StoredBlob } from './blob-store.ts';
import { checked, checkedParts, hasDigest } from './checked.ts';
import { BlobError } from './errors.ts';
import { noBucket, s3Fault } from './s3-fault.ts';
import { giveUpUploads } from './s3-leftovers.ts';
import { ownerObject } from './s3-owner.ts';
import { readS3Place, type S3Place } from './s3-place.ts';
import { removeSpooled, spooled } from './spool.ts';

const NAME = /^[0-9a-f]{2}\/([0-9a-f]{64})$/;
const MB = 1024 ** 2;
/** A larger object is sent in parts, several at a time; this bounds the memory of an upload. */
const WHOLE = 16 * MB;
const PART = { bytes: 8 * MB, atOnce: 2 };
/** A read that breaks off continues where it stopped, up to this many times without a byte in between. */
const READ_TRIES = 3;
const TIMEOUTS = { connectionTimeout: 5_000, socketTimeout: 30_000, requestTimeout: 60_000 };

/**
 * Blobs as objects `prefix/ab/<sha256>` of a bucket; S3 shows an object as a whole or not at all, and answers once it
 * is durable. The AWS SDK finds the credentials.
 */
export async function s3Blobs(url: string): Promise<BlobStore> {
  const place = readS3Place(url);
  const client = openClient(place);

  const keyOf = (name: string) => ({ Bucket: place.bucket, Key: `${place.prefix}${name.slice(0, 2)}/${name}` });

  const nameOf = (key: string) => NAME.exec(key.slice(place.prefix.length))?.[1];

  const sizeOf = async (name: string): Promise<number | undefined> => {
    try {
      return (await client.send(new HeadObjectCommand(keyOf(name)))).ContentLength ?? 0;
    } catch (error) {
      const fault = s3Fault(error, name);
      if (fault.code === 'blob_missing') return undefined;
      throw fault;
    }
  };

  const requireBucket = async () => {
    await client.send(new HeadBucketCommand({ Bucket: place.bucket })).catch((error: unknown) => {
      const fault = s3Fault(error, place.bucket);
      throw fault.code === 'blob_missing' ? noBucket(error) : fault;
    });
  };

  const putWhole = async (bytes: Buffer, { sha256 }: StoredBlob) => {
    const name = sha256.toString('hex');
    const sent = {
      ...keyOf(name),
      Body: bytes,
      ContentLength: bytes.length,
      ChecksumSHA256: sha256.toString('base64'),
    };
    await client.send(new PutObjectCommand(sent)).catch((error: unknown) => {
      throw s3Fault(error, name);
    });
  };

  const putParts = async (path: string, { sha256 }: StoredBlob) => {
    const name = sha256.toString('hex');
    const params = { ...keyOf(name), Body: createReadStream(path, { highWaterMark: MB }) };
    const upload = new Upload({ client, params, partSize: PART.bytes, queueSize: PART.atOnce });
    await upload.done().catch((error: unknown) => {
      throw s3Fault(error, name);
    });
  };

  async function* read(name: string, start: number, end: number): AsyncGenerator<Buffer> {
    for (let at = start, tries = 1; at < end; tries += 1) {
      try {
        const range = { ...keyOf(name), Range: `bytes=${at}-${end - 1}` };
        const { Body, ContentRange } = await client.send(new GetObjectCommand(range));
        const chunks: AsyncIterable<Buffer> = Body as Readable; // in Node.js it is one
        if (at > 0 && !ContentRange?.startsWith(`bytes ${at}-`)) {
          (Body as Readable).destroy();
          throw new Error('The answer is another part.');
        }
        for await (const chunk of chunks) {
          tries = 0;
          const wanted = chunk.subarray(0, end - at);
          at += wanted.length;
          yield wanted;
          if (wanted.length < chunk.length) break; // more than was asked for
        }
        if (at < end) throw new Error('The answer ended too early.');
      } catch (error) {
        const fault = s3Fault(error, name);
        if (!fault.retryable || tries >= READ_TRIES) throw fault;
      }
    }
  }

  /**
   * Whether the object exists with exactly these bytes, whatever the store reports; otherwise it must be sent again.
   */
  const holds = async ({ sha256, size }: StoredBlob): Promise<boolean> => {
    const name = sha256.toString('hex');
    if ((await sizeOf(name)) !== size) return false;
    try {
      return await hasDigest(read(name, 0, size), sha256);
    } catch (error) {
      if (error instanceof BlobError && error.code === 'blob_missing') return false; // deleted meanwhile
      throw error;
    }
  };

  const put = async (bytes: Buffer): Promise<StoredBlob> => {
    const blob = { sha256: hash('sha256', bytes, 'buffer'), size: bytes.length };
    if (!(await holds(blob))) await putWhole(bytes, blob);
    return blob;
  };

  return {
    put,
    putAll: (contents) => Promise.all(contents.map(put)),

    async putStream(chunks, limit): Promise<StoredBlob> {
      return await spooled(chunks, limit, async (path, blob) => {
        const name = blob.sha256.toString('hex');
        if (await holds(blob)) return;
        if (blob.size <= WHOLE) return await putWhole(await readFile(path), blob);
        await putParts(path, blob);
        if ((await sizeOf(name)) !== blob.size)
          throw new BlobError('blob_store_unreachable', `The bucket of BLOB_URL did not keep all bytes of ${name}.`);
      });
    },

    async get(sha256): Promise<Blob> {
      const name = sha256.toString('hex');
      const size = await sizeOf(name);
      if (size === undefined) {
        await requireBucket(); // a missing bucket looks the same, and does not mean missing bytes
        throw new BlobError('blob_missing', `The stored bytes ${name} are gone.`);
      }
      return {
        size,
        open: checkedParts(sha256, size, (start, end) => read(name, start, end)),
        bytes: async () => checked(await buffer(read(name, 0, size)), sha256),
      };
    },

    async delete(sha256): Promise<void> {
      const name = sha256.toString('hex');
      await client.send(new DeleteObjectCommand(keyOf(name))).catch((error: unknown) => {
        const fault = s3Fault(error, name);
        if (fault.code !== 'blob_missing') throw fault;
      });
    },

    async *list() {
      const pages = paginateListObjectsV2({ client }, { Bucket: place.bucket, Prefix: place.prefix });
      let last: string | undefined;
      try {
        for await (const { Contents = [], NextContinuationToken: next } of pages) {
          if (next !== undefined && next === last) throw new Error('The listing does not go on.');
          last = next;
          for (const { Key = '', LastModified } of Contents) {
            const name = nameOf(Key);
            if (name && LastModified) yield { sha256: Buffer.from(name, 'hex'), storedAt: LastModified };
          }
        }
      } catch (error) {
        throw s3Fault(error, place.bucket);
      }
    },

    async removeLeftovers(before) {
      const isOurs = (key: string) => nameOf(key) !== undefined;
      return (await removeSpooled(before)) + (await giveUpUploads(client, place, { before, isOurs }));
    },

    ...ownerObject(client, place),

    async freeSpace() {
      return null;
    },
  };
}

/** The SDK's own checksums are disabled: not every S3-compatible server supports them, and the name is a checksum. */
function openClient({ endpoint, region, pathStyle }: S3Place): S3Client {
  return new S3Client({
    endpoint,
    region: region ?? (endpoint && 'us-east-1'), // without either the SDK looks for one
    forcePathStyle: pathStyle,
    requestHandler: { ...TIMEOUTS, throwOnRequestTimeout: true },
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 3,
  });
}
