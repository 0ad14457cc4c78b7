import { BlobError } from './errors.ts';

/** The place of the blobs in S3. */
export interface S3Place {
  bucket: string;
  /** Empty, or ends in a slash. */
  prefix: string;
  endpoint: string | undefined;
  region: string | undefined;
  pathStyle: boolean;
}

const USUAL = 's3://bucket/prefix?endpoint=https://host:port&region=name&path_style=true';
const KNOWN = new Set(['endpoint', 'region', 'path_style']);

/** Reads `s3://bucket/prefix?endpoint=…&region=…&path_style=true`. The URL must not contain a secret. */
export function readS3Place(url: string): S3Place {
  const parsed = URL.parse(url);
  if (parsed?.protocol !== 's3:' || !parsed.hostname) throw wrong('it names no bucket');
  if (parsed.username || parsed.password)
    throw wrong('credentials belong into AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or where the AWS SDK looks');
  const unknown = [...parsed.searchParams.keys()].find((name) => !KNOWN.has(name));
  if (unknown !== undefined) throw wrong(`it has no option ${unknown}`);
  const pathStyle = parsed.searchParams.get('path_style') ?? 'false';
  if (pathStyle !== 'true' && pathStyle !== 'false') throw wrong('path_style is true or false');
  const folder = decodeURIComponent(parsed.pathname).replace(/^\/+|\/+$/g, '');
  return {
    bucket: parsed.host,
    prefix: folder && `${folder}/`,
    endpoint: endpointOf(parsed.searchParams.get('endpoint')),
    region: parsed.searchParams.get('region') ?? undefined,
    pathStyle: pathStyle === 'true',
  };
}

function endpointOf(given: string | null): string | undefined {
  if (given === null) return undefined;
  if (!/^https?:$/.test(URL.parse(given)?.protocol ?? '')) throw wrong('endpoint is a URL with http: or https:');
  return given;
}

function wrong(what: string): BlobError {
  return new BlobError('blob_url_unsupported', `BLOB_URL with s3: is invalid: ${what}. Expected ${USUAL}`);
}
