import { AbortMultipartUploadCommand, ListMultipartUploadsCommand, type S3Client } from '@aws-sdk/client-s3';
import { present } from '@dmarc-ledger/vocabulary';
import { s3Fault } from './s3-fault.ts';
import type { S3Place } from './s3-place.ts';

interface Upload {
  Key: string;
  UploadId: string;
}

/**
 * Aborts multipart uploads that were begun before an instant and never completed: their parts are invisible, and cost
 * money. Does nothing where uploads may not be listed; the bucket's lifecycle rules may remove them there. Returns how
 * many.
 */
export async function giveUpUploads(
  client: S3Client,
  { bucket: Bucket, prefix }: S3Place,
  { before, isOurs }: { before: Date; isOurs: (key: string) => boolean },
): Promise<number> {
  let [count, more] = [0, true];
  let from: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } = {};
  while (more) {
    const page = await list(client, { Bucket, Prefix: prefix, ...from });
    for (const { Key, UploadId, Initiated } of page?.Uploads ?? []) {
      if (!Key || !UploadId || !Initiated || Initiated >= before || !isOurs(Key)) continue;
      if (await giveUp(client, Bucket, { Key, UploadId })) count += 1;
    }
    const next = { KeyMarker: page?.NextKeyMarker, UploadIdMarker: page?.NextUploadIdMarker };
    const goesOn = next.KeyMarker !== from.KeyMarker || next.UploadIdMarker !== from.UploadIdMarker;
    more = page?.IsTruncated === true && goesOn; // a store that repeats its answer is not asked for ever
    from = next;
  }
  return count;
}

async function list(client: S3Client, asked: ConstructorParameters<typeof ListMultipartUploadsCommand>[0]) {
  try {
    return await client.send(new ListMultipartUploadsCommand(asked));
  } catch (error) {
    const fault = s3Fault(error, present(asked.Bucket));
    if (fault.code === 'blob_store_denied') return undefined;
    throw fault;
  }
}

/** False for one that was completed or aborted meanwhile. */
async function giveUp(client: S3Client, Bucket: string, upload: Upload): Promise<boolean> {
  try {
    await client.send(new AbortMultipartUploadCommand({ Bucket, ...upload }));
    return true;
  } catch (error) {
    const fault = s3Fault(error, upload.Key);
    if (fault.code === 'blob_missing') return false;
    throw fault;
  }
}
