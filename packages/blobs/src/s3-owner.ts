import { GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { OWNER } from './owner-file.ts';
import { s3Fault } from './s3-fault.ts';
import type { S3Place } from './s3-place.ts';

/** The object beside those of the blobs that names the ledger which uses them. */
export function ownerObject(client: S3Client, { bucket, prefix }: S3Place) {
  const key = { Bucket: bucket, Key: `${prefix}${OWNER}` };
  return {
    async owner(): Promise<string | undefined> {
      try {
        return await (await client.send(new GetObjectCommand(key))).Body?.transformToString();
      } catch (error) {
        const fault = s3Fault(error, OWNER);
        if (fault.code === 'blob_missing') return undefined;
        throw fault;
      }
    },
    async setOwner(owner: string): Promise<void> {
      const sent = { ...key, Body: owner, ContentLength: Buffer.byteLength(owner) };
      await client.send(new PutObjectCommand(sent)).catch((error: unknown) => {
        throw s3Fault(error, OWNER);
      });
    },
  };
}
