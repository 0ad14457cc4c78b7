import { createHmac, hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export interface S3Credentials {
  accessKeyId: string;
  secretAccessKey: string;
}

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8}\/[^/]+\/s3\/aws4_request), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/;

/**
 * The fault of a request's signature or of the hash of its body; null when both are valid. (AWS Signature Version 4)
 */
export function signatureFault(request: IncomingMessage, body: Buffer, credentials: S3Credentials): string | null {
  const [, keyId, scope, signedHeaders, signature] = AUTHORIZATION.exec(request.headers.authorization ?? '') ?? [];
  if (keyId !== credentials.accessKeyId || !scope || !signedHeaders) return 'InvalidAccessKeyId';
  const bodyHash = headerOf(request, 'x-amz-content-sha256');
  if (bodyHash !== 'UNSIGNED-PAYLOAD' && bodyHash !== hash('sha256', body)) return 'XAmzContentSHA256Mismatch';
  const checksum = request.headers['x-amz-checksum-sha256'];
  if (checksum !== undefined && checksum !== hash('sha256', body, 'base64')) return 'BadDigest';
  const canonical = [request.method, ...canonicalTarget(request), canonicalHeaders(request, signedHeaders), bodyHash];
  const text = ['AWS4-HMAC-SHA256', headerOf(request, 'x-amz-date'), scope, hash('sha256', canonical.join('\n'))];
  return signature === sign(text.join('\n'), scope, credentials) ? null : 'SignatureDoesNotMatch';
}

function canonicalTarget({ url = '/' }: IncomingMessage): string[] {
  const [path = '', query = ''] = url.split('?', 2);
  const pairs = query ? query.split('&').map((pair) => (pair.includes('=') ? pair : `${pair}=`)) : [];
  return [path, pairs.toSorted().join('&')];
}

function canonicalHeaders(request: IncomingMessage, signedHeaders: string): string {
  const lines = signedHeaders.split(';').map((name) => `${name}:${headerOf(request, name)}\n`);
  return `${lines.join('')}\n${signedHeaders}`;
}

function sign(text: string, scope: string, { secretAccessKey }: S3Credentials): string {
  const key = scope
    .split('/')
    .reduce<Buffer | string>(
      (last, part) => createHmac('sha256', last).update(part).digest(),
      `AWS4${secretAccessKey}`,
    );
  return createHmac('sha256', key).update(text).digest('hex');
}

function headerOf({ headers }: IncomingMessage, name: string): string {
  return String(headers[name] ?? '').trim();
}
