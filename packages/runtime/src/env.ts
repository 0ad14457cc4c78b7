import { isFailPointSpec } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';

/** A TCP port; 0 asks the system for a free one. */
export const port = (usual: number) => wholeNumber(0, 65_535, 'a port').default(usual);

/** A whole number within bounds, as text in the environment. */
export function wholeNumber(least: number, most: number, what = 'a whole number') {
  const message = `expected ${what} from ${least} to ${most}`;
  return z
    .string()
    .regex(/^-?\d{1,15}$/, message)
    .transform(Number)
    .refine((value) => value >= least && value <= most, message);
}

const onOff = z.enum(['on', 'off'], { error: 'expected on or off' });

// The variables of all processes, in groups. A service combines the groups it needs; packages below have groups of
// their own.

export const dataEnv = { DATA_DIR: z.string().default('./data') };

export const logEnv = {
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
      error: 'expected trace, debug, info, warn, error, fatal or silent',
    })
    .default('info'),
};

const host = z.union([z.ipv4(), z.ipv6(), z.hostname()], { error: 'expected an address or host name to listen on' });

export const apiEnv = { HOST: host.default('127.0.0.1'), PORT: port(8080) };

/** Requests of one key within a minute, and expensive requests of one organization at a time. */
export const limitEnv = {
  ABUSE_LIMIT_PER_MINUTE: wholeNumber(1, 1_000_000).default(600),
  HEAVY_CONCURRENCY: wholeNumber(1, 1_000).default(4),
};

/** How long overviews and health of domains may be served from the cache. */
export const cacheEnv = {
  OVERVIEW_CACHE_SECONDS: wholeNumber(0, 300).default(300),
  HEALTH_CACHE_SECONDS: wholeNumber(0, 3_600).default(3_600),
};

export const uploadEnv = { HOST: host.default('127.0.0.1'), INGEST_PORT: port(8081) };

/** The admin port discloses internals: it listens on loopback by default. */
export const adminEnv = { ADMIN_HOST: host.default('127.0.0.1'), ADMIN_PORT: port(9090) };

/** Unset: a folder under DATA_DIR. */
export const blobEnv = {
  BLOB_URL: z
    .string()
    .regex(/^(?:file|s3):/, 'expected a URL that begins with file: or s3:')
    .optional(),
};

/** Marks a variable whose value may be in a file instead, named by the variable with the suffix `_FILE`. */
const SECRET = { secret: true };

/** The keys that seal mailbox secrets; of a comma-separated list the first seals and all open. */
export const secretEnv = {
  SECRET_KEY: z
    .string()
    .regex(/^[^,]{32,}(?:,[^,]{32,})*$/, 'expected 32 characters or more, or several such keys separated by commas')
    .optional()
    .meta(SECRET),
};

/** Only for crash tests: where the process dies or fails, and the file that records it. */
export const failPointEnv = {
  FAIL_POINTS: z.string().refine(isFailPointSpec, 'expected fail points such as F3=kill@2,F7=delay:500').optional(),
  FAIL_POINTS_LOG: z.string().optional(),
};

/** Where spans are sent, as OTLP over HTTP; no spans when unset. */
export const tracingEnv = {
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/, error: 'expected a URL' }).optional(),
};

/** Off: an ingester reads mailboxes without holding them. For tests; the only effect is work done twice. */
export const mailboxEnv = { MAILBOX_LEASE: onOff.default('on') };

const days = (usual: number) =>
  z
    .union([z.literal('none'), wholeNumber(1, 36_500)], { error: 'expected a number of days from 1 to 36500, or none' })
    .default(usual)
    .transform((given) => (given === 'none' ? null : given));

/** The days since their receipt for which reports, raw bytes and failure reports are kept; null: for ever. */
export const retentionEnv = {
  RETENTION_DAYS: days(400),
  RAW_RETENTION_DAYS: days(90),
  FAILURE_REPORT_RETENTION_DAYS: days(30),
};

/** The sources of lookups. */
export const lookupEnv = {
  ENRICHMENT: onOff.default('on'),
  DNS_SERVERS: z.string().optional(),
  DNS_TIMEOUT_MS: wholeNumber(100, 30_000).default(3_000),
  GEOIP_CITY_DB: z.string().optional(),
  GEOIP_ASN_DB: z.string().optional(),
  ABUSEIPDB_API_KEY: z.string().min(1).optional().meta(SECRET),
  ABUSEIPDB_URL: z.url({ protocol: /^https?$/, error: 'expected a URL' }).optional(),
  ABUSEIPDB_CALLS_PER_DAY: wholeNumber(1, 10_000_000).default(1_000),
  BLOCKLISTS_FILE: z.string().optional(),
  DNS_AUTHORITATIVE_PORT: port(53),
  DNS_VALIDATING: onOff.default('off'),
  MTA_STS_PORT: port(443),
  MTA_STS_CA_FILE: z.string().optional(),
  ALLOW_PRIVATE_ADDRESSES: onOff.default('off'),
  SMTP_PROBE: onOff.default('off'),
  SMTP_PROBE_PORT: port(25),
};

/** Where the pages send uploads on to. Unset: pages offer no upload. */
export const ingestUrlEnv = { INGEST_URL: z.url({ protocol: /^https?$/, error: 'expected a URL' }).optional() };

/** Where people reach the pages: the prefix of links, without a slash at its end. Unset: links are paths. */
export const appEnv = {
  APP_URL: z
    .url({ protocol: /^https?$/, error: 'expected a URL' })
    .transform((text) => text.replace(/\/+$/, ''))
    .optional(),
};

const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|localhost|\[::1\])$/;

/** The identity provider at which people sign in to the pages. Unset: by password or link alone. */
export const identityEnv = {
  OIDC_ISSUER: z
    .url({ protocol: /^https?$/, error: 'expected a URL' })
    .refine(isHttpsOrLocal, 'expected an https URL; plain http only on this machine')
    .optional(),
  OIDC_CLIENT_ID: z.string().min(1).optional(),
  OIDC_CLIENT_SECRET: z.string().min(1).optional().meta(SECRET),
  OIDC_NAME: z.string().max(60).default('your identity provider'),
};

function isHttpsOrLocal(text: string): boolean {
  const url = URL.parse(text);
  return url?.protocol === 'https:' || (url !== null && LOOPBACK.test(url.hostname));
}

/** The channels of notifications beside the feed. */
export const notificationEnv = {
  ...appEnv,
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, hostname: /./, error: 'expected a URL that begins with smtp: or smtps:' })
    .refine(isDecodable, 'expected user and password percent-encoded')
    .optional()
    .meta(SECRET),
  MAIL_FROM: z
    .string()
    .regex(
      /^(?:[^<>@\p{Cc}]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/u,
      'expected an address, or a name and <address>',
    )
    .optional(),
};

function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== '';
  } catch {
    return false;
  }
}
