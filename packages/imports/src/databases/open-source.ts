import { createConnection } from 'mysql2/promise';
import { failureReason, type Server } from '@dmarc-ledger/vocabulary';
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

/** How long the connection may rest while what was read is taken in. */
const IDLE_SECONDS = 86_400;

/**
 * Opens a database by its URL: `mysql:` or `mariadb:`, `postgres:` or `postgresql:`.
 *
 * @throws {ImportError} `source_unreachable` with the server's reason, never with the password; so does `rows`.
 */
export async function openSource(url: URL): Promise<SourceDatabase> {
  try {
    if (/^(mysql|mariadb):$/.test(url.protocol)) return readable(await openMysql(url), serverOf(url));
    if (/^postgres(ql)?:$/.test(url.protocol)) return readable(await openPostgres(url), serverOf(url));
  } catch (error) {
    throw new ImportError(
      'source_unreachable',
      `The database cannot be opened: ${failureReason(error, serverOf(url))}.`,
    );
  }
  throw new ImportError(
    'source_unknown',
    'The URL of the database begins with mysql:, mariadb:, postgres: or postgresql:.',
  );
}

/** Names what keeps a database from being read: a connection that was lost, or a table that its user may not read. */
function readable(source: SourceDatabase, server: Server): SourceDatabase {
  return {
    ...source,
    async rows(statement, values) {
      try {
        return await source.rows(statement, values);
      } catch (error) {
        const again = 'Run it again to continue: nothing is counted twice.';
        const reason = failureReason(error, server);
        throw new ImportError('source_unreachable', `The database cannot be read: ${reason}. ${again}`, {
          cause: error,
        });
      }
    },
  };
}

function serverOf({ protocol, hostname, port }: URL): Server {
  return { host: hostname || 'localhost', port: Number(port || (protocol.startsWith('postgres') ? 5432 : 3306)) };
}

async function openMysql(url: URL): Promise<SourceDatabase> {
  const connection = await createConnection({
    ...serverOf(url),
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
  await connection.query(`set session wait_timeout = ${IDLE_SECONDS}`);
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

/** The client's own limit ends with an error without a code. */
function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'timeout expired';
}

async function openPostgres(url: URL): Promise<SourceDatabase> {
  const client = new pg.Client({ connectionString: url.href, connectionTimeoutMillis: CONNECT_MS, keepAlive: true });
  client.on('error', () => undefined); // the next statement reports it
  await client.connect().catch((error: unknown) => {
    throw isTimeout(error) ? Object.assign(new Error('no connection in time'), { code: 'ETIMEDOUT' }) : error;
  });
  await client.query('set default_transaction_read_only = on');
  await client.query(
    `select set_config(name, '${IDLE_SECONDS}s', false) from pg_settings where name = 'idle_session_timeout'`,
  );
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
