import { destination, pino, type DestinationStream, type Logger } from 'pino';

export type { Logger } from 'pino';

/** Fields that are never logged: those of requests and answers, and the variables that their shapes mark as secret. */
const SECRETS = [
  'password',
  'secret',
  'key',
  'token',
  'authorization',
  'cookie',
  'DATABASE_URL',
  'REDIS_URL',
  'SECRET_KEY',
  'SMTP_URL',
  'ABUSEIPDB_API_KEY',
  'OIDC_CLIENT_SECRET',
];

export interface LoggerOptions {
  name: string;
  level: string;
  /** The destination of the lines; stderr by default, because stdout is for data. */
  to?: DestinationStream;
}

/** A log of JSON lines, one event each, without secrets. */
export function openLogger({ name, level, to = destination({ fd: 2, sync: true }) }: LoggerOptions): Logger {
  const paths = SECRETS.flatMap((secret) => [secret, `*.${secret}`, `*.headers.${secret}`]);
  return pino(
    {
      name,
      level,
      redact: { paths, censor: '[redacted]' },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: pino.stdSerializers.err },
    },
    to,
  );
}
