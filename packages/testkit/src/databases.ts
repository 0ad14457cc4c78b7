import { randomUUID } from 'node:crypto';
import pg from 'pg';

/** A database of a test. */
export interface TestDatabase {
  name: string;
  url: string;
}

/**
 * A new database on the server: empty, or a copy of the template. Copying its files takes a fifth of the time that
 * writing its pages to the log takes, which is the default.
 */
export async function createDatabase(serverUrl: string, purpose: string, template?: string): Promise<TestDatabase> {
  const name = `test_${purpose}_${randomUUID().replaceAll('-', '')}`;
  await run(serverUrl, `create database "${name}"${template ? ` template "${template}" strategy file_copy` : ''}`);
  return { name, url: urlOf(serverUrl, name) };
}

/** The address of another database of the same server. */
export function urlOf(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = name;
  return url.href;
}

/** Drops a database, and the connections that are still open to it. */
export async function dropDatabase(serverUrl: string, name: string): Promise<void> {
  await run(serverUrl, `drop database if exists "${name}" with (force)`);
}

/** For each server: tests create and drop more than a thousand databases. Idle connections keep no process running. */
const pools = new Map<string, pg.Pool>();

async function run(url: string, sql: string): Promise<void> {
  let pool = pools.get(url);
  if (!pool) {
    pool = new pg.Pool({ connectionString: url, max: 4, allowExitOnIdle: true });
    pool.on('error', () => {}); // an idle connection that the server ended; the next use opens another
    pools.set(url, pool);
  }
  await pool.query(sql);
}
