import { present } from '@dmarc-ledger/vocabulary';

/** Keys of one page, few enough that there are several. */
const LISTED = 5;

/** What a bucket holds. */
export interface S3Contents {
  bucket: string;
  objects: Map<string, Buffer>;
  /** When each was stored; a test may change it. */
  storedAt: Map<string, Date>;
  /** Multipart uploads that were begun and neither completed nor aborted. */
  uploads: Map<string, Map<number, Buffer>>;
  /** The key and the beginning of each; a test may change it. */
  begun: Map<string, { key: string; at: Date }>;
}

interface Listing {
  status: number;
  body: string;
}

/** A page of keys in order. */
export function listObjects({ objects, storedAt, bucket }: S3Contents, asked: URLSearchParams): Listing {
  const [prefix, after] = [asked.get('prefix') ?? '', asked.get('continuation-token') ?? ''];
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).toSorted();
  const page = keys.slice(0, LISTED);
  const more = keys.length > page.length;
  const contents = page.map((key) => {
    const lastModified = (storedAt.get(key) ?? new Date()).toISOString();
    return `<Contents><Key>${key}</Key><LastModified>${lastModified}</LastModified><Size>${present(objects.get(key)).length}</Size></Contents>`;
  });
  const next = more ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
  const body = `<ListBucketResult><Name>${bucket}</Name><Prefix>${prefix}</Prefix><KeyCount>${page.length}</KeyCount><IsTruncated>${more}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`;
  return { status: 200, body };
}

/** The same for uploads that have begun. */
export function listUploads({ uploads, begun, bucket }: S3Contents, asked: URLSearchParams): Listing {
  const placeOf = (key: string, id: string) => `${key} ${id}`;
  const after = placeOf(asked.get('key-marker') ?? '', asked.get('upload-id-marker') ?? '');
  const open = [...uploads.keys()]
    .map((id) => ({ id, ...present(begun.get(id)) }))
    .filter(({ key, id }) => key.startsWith(asked.get('prefix') ?? '') && placeOf(key, id) > after)
    .toSorted((a, b) => (placeOf(a.key, a.id) < placeOf(b.key, b.id) ? -1 : 1));
  const page = open.slice(0, LISTED);
  const last = open.length > page.length ? page.at(-1) : undefined;
  const next = last
    ? `<NextKeyMarker>${last.key}</NextKeyMarker><NextUploadIdMarker>${last.id}</NextUploadIdMarker>`
    : '';
  const listed = page.map(
    ({ key, id, at }) =>
      `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${at.toISOString()}</Initiated></Upload>`,
  );
  const body = `<ListMultipartUploadsResult><Bucket>${bucket}</Bucket><IsTruncated>${last !== undefined}</IsTruncated>${next}${listed.join('')}</ListMultipartUploadsResult>`;
  return { status: 200, body };
}
