import { destination, pino, type DestinationStream, type Logger } from 'pino';

export type { Logger } from 'pino';

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
