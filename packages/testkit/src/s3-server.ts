import { hash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listeningPort } from './listening-port.ts';
import { listObjects, listUploads, type S3Contents } from './s3-listings.ts';
import { signatureFault, type S3Credentials } from './s3-signature.ts';

export type { S3Credentials } from './s3-signature.ts';

/**
 * How the next requests fail: an answer with this status, by default with `SlowDown`, or with this body; no answer; the
 * whole object, whatever range was asked for; or one cut after so many bytes.
 */
export type S3Trouble =
  | { status: number; code?: string; body?: string }
  | 'hang up'
  | 'whole object'
  | { cutAfter: number };

/**
 * The part of S3 that blobs need, in memory, for tests, because no reachable registry has a real server. It checks
 * every signature and checksum, as S3 does.
 */
export interface S3Server extends S3Contents {
  endpoint: string;
  credentials: S3Credentials;
  /** Method and target of every request, in order. */
  requests: string[];
  /** The faults of the next requests, one for each. */
  troubles: S3Trouble[];
  close(): Promise<void>;
}

const MIN_PART = 5 * 1024 ** 2;

interface Answer {
  status: number;
  headers?: Record<string, string>;
  body?: Buffer | string;
}

export async function s3Server(bucket = 'ledger'): Promise<S3Server> {
  const state = {
    bucket,
    credentials: { accessKeyId: 'test-key', secretAccessKey: randomUUID() },
    objects: new Map<string, Buffer>(),
    storedAt: new Map<string, Date>(),
    uploads: new Map<string, Map<number, Buffer>>(),
    begun: new Map<string, { key: string; at: Date }>(),
    requests: new Array<string>(),
    troubles: new Array<S3Trouble>(),
  };
  const server = createServer((request, response) => {
    void buffer(request).then((body) => answer(state, request, response, body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = listeningPort(server);
  return Object.assign(state, {
    endpoint: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
}

type State = Omit<S3Server, 'endpoint' | 'close'>;

function answer(state: State, request: IncomingMessage, response: ServerResponse, body: Buffer): void {
  state.requests.push(`${request.method} ${request.url}`);
  const trouble = state.troubles.shift();
  if (trouble === 'hang up') return void response.destroy();
  const {
    status,
    headers = {},
    body: sent = '',
  } = isOwnAnswer(trouble)
    ? {
        ...fault(trouble.status, trouble.code ?? 'SlowDown'),
        ...(trouble.body !== undefined && { body: trouble.body }),
      }
    : answerOf(state, request, body, trouble === 'whole object');
  const length = headers['content-length'] ?? String(Buffer.byteLength(sent));
  response.writeHead(status, { ...headers, 'content-length': length });
  if (typeof trouble === 'object' && 'cutAfter' in trouble) {
    response.write(Buffer.from(sent).subarray(0, trouble.cutAfter), () => response.destroy());
  } else response.end(request.method === 'HEAD' ? undefined : sent);
}

function isOwnAnswer(trouble: S3Trouble | undefined): trouble is Extract<S3Trouble, { status: number }> {
  return typeof trouble === 'object' && 'status' in trouble;
}

function answerOf(state: State, request: IncomingMessage, body: Buffer, isWhole: boolean): Answer {
  const wrong = signatureFault(request, body, state.credentials);
  if (wrong) return fault(wrong === 'BadDigest' ? 400 : 403, wrong);
  const url = new URL(request.url ?? '/', 'http://localhost');
  const [, bucket, ...rest] = decodeURIComponent(url.pathname).split('/');
  if (bucket !== state.bucket) return fault(404, 'NoSuchBucket');
  const key = rest.join('/');
  if (url.searchParams.get('list-type') === '2') return listObjects(state, url.searchParams);
  if (key === '' && url.searchParams.has('uploads')) return listUploads(state, url.searchParams);
  if (key === '') return { status: 200 };
  if (url.searchParams.has('uploads')) return beginUpload(state, key);
  const upload = url.searchParams.get('uploadId');
  if (upload !== null) return partOf(state, request.method ?? '', key, { upload, url, body });
  switch (request.method) {
    case 'PUT':
      state.objects.set(key, body);
      state.storedAt.set(key, new Date());
      return { status: 200, headers: { etag: etagOf(body) } };
    case 'DELETE':
      state.objects.delete(key);
      return { status: 204 };
    default:
      return objectOf(state.objects.get(key), isWhole ? undefined : request.headers.range);
  }
}

function objectOf(object: Buffer | undefined, range: string | undefined): Answer {
  if (!object) return fault(404, 'NoSuchKey');
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? [];
  if (first === undefined) return { status: 200, headers: { 'content-length': String(object.length) }, body: object };
  if (Number(first) >= object.length) return fault(416, 'InvalidRange');
  const part = object.subarray(Number(first), Number(last) + 1);
  const headers = { 'content-range': `bytes ${first}-${Number(first) + part.length - 1}/${object.length}` };
  return { status: 206, headers, body: part };
}

function beginUpload(state: State, key: string): Answer {
  const id = randomUUID();
  state.uploads.set(id, new Map());
  state.begun.set(id, { key, at: new Date() });
  const body = `<InitiateMultipartUploadResult><Bucket>${state.bucket}</Bucket><Key>${key}</Key><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`;
  return { status: 200, body };
}

function partOf(
  state: State,
  method: string,
  key: string,
  { upload, url, body }: { upload: string; url: URL; body: Buffer },
): Answer {
  const parts = state.uploads.get(upload);
  if (!parts) return fault(404, 'NoSuchUpload');
  if (method === 'PUT') {
    parts.set(Number(url.searchParams.get('partNumber')), body);
    return { status: 200, headers: { etag: etagOf(body) } };
  }
  state.uploads.delete(upload);
  if (method === 'DELETE') return { status: 204 };
  const ordered = [...parts].toSorted(([a], [b]) => a - b).map(([, part]) => part);
  if (ordered.slice(0, -1).some((part) => part.length < MIN_PART)) return fault(400, 'EntityTooSmall');
  state.objects.set(key, Buffer.concat(ordered));
  state.storedAt.set(key, new Date());
  const answered = `<CompleteMultipartUploadResult><Bucket>${state.bucket}</Bucket><Key>${key}</Key><ETag>"whole"</ETag></CompleteMultipartUploadResult>`;
  return { status: 200, body: answered };
}

function fault(status: number, code: string): Answer {
  return { status, body: `<Error><Code>${code}</Code><Message>${code}</Message></Error>` };
}

function etagOf(body: Buffer): string {
  return `"${hash('md5', body)}"`;
}
