import { createConnection } from 'mysql2/promise';
import pg from 'pg';
import { ImportError } from '../import-error.ts';
import { type Fields, isFields } from '../read-values.ts';

/** A database of another tool, which is only read. */
export interface SourceDatabase extends AsyncDisposable {
  dialect: 'mysql' | 'postgres';
  /** Runs a statement with `?` for each value. */
  rows: (statement: string, values?: readonly unknown[]) => Promise<Fields[]>;
}

const CONNECT_MS = 10_000;

/**
 * Opens a database by its URL: `mysql:` or `mariadb:`, `postgres:` or `postgresql:`.
 *
 * @throws {ImportError} `source_unreachable` with the server's reason, never with the password.
 */
export async function openSource(url: URL): Promise<SourceDatabase> {
  try {
    if (/^(mysql|mariadb):$/.test(url.protocol)) return await openMysql(url);
    if (/^postgres(ql)?:$/.test(url.protocol)) return await openPostgres(url);
  } catch (error) {
    const reason = error instanceof AggregateError ? error.errors[0] : error;
    throw new ImportError('source_unreachable', `The database cannot be opened: ${messageOf(reason)}.`);
  }
  throw new ImportError(
    'source_unknown',
    'The URL of the database begins with mysql:, mariadb:, postgres: or postgresql:.',
  );
}

function messageOf(reason: unknown): string {
  const text = reason instanceof Error ? reason.message : String(reason);
  return text.trim().replace(/\.$/, '');
}

async function openMysql(url: URL): Promise<SourceDatabase> {
  const connection = await createConnection({
    host: url.hostname || 'localhost',
    port: Number(url.port || 3306),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: decodeURIComponent(url.pathname.slice(1)),
    connectTimeout: CONNECT_MS,
    charset: 'utf8mb4',
    supportBigNumbers: true,
    dateStrings: true,
    ...(url.searchParams.get('ssl') === 'true' ? { ssl: {} } : {}),
  });
  connection.on('error', () => undefined); // the next statement reports it
  await connection.query("set time_zone = '+00:00'");
  await connection.query('set session transaction read only');
  return {
    dialect: 'mysql',
    async rows(statement, values = []) {
      const [rows] = await connection.query(statement, [...values]);
      const found: unknown[] = Array.isArray(rows) ? rows : [];
      return found.filter(isFields);
    },
    async [Symbol.asyncDispose]() {
      await connection.end().catch(() => undefined);
    },
  };
}

async function openPostgres(url: URL): Promise<SourceDatabase> {
  const client = new pg.Client({ connectionString: url.href, connectionTimeoutMillis: CONNECT_MS });
  client.on('error', () => undefined); // the next statement reports it
  await client.connect();
  await client.query('set default_transaction_read_only = on');
  return {
    dialect: 'postgres',
    async rows(statement, values = []) {
      let place = 0;
      const { rows } = await client.query<Fields>(
        statement.replaceAll('?', () => `$${(place += 1)}`),
        [...values],
      );
      return rows;
    },
    async [Symbol.asyncDispose]() {
      await client.end().catch(() => undefined);
    },
  };
}
