import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
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

/** The name of the template that is filled with reports, which the first test that needs it makes. */
export function filledName(template: string): string {
  return `${template}_filled`;
}

/** How long a server process may take to end after its client has left. */
const LEAVING_MS = 50;
const LOOKED_AGAIN_MS = 3;

/**
 * Drops a database, and the connections that are still open to it. The server looks for these ten times a second, so
 * those that are about to end are waited for first.
 */
export async function dropDatabase(serverUrl: string, name: string): Promise<void> {
  const until = performance.now() + LEAVING_MS;
  while (performance.now() < until && (await isConnected(serverUrl, name))) await sleep(LOOKED_AGAIN_MS);
  await run(serverUrl, `drop database if exists "${name}" with (force)`);
}

async function isConnected(serverUrl: string, name: string): Promise<boolean> {
  const { rowCount } = await run(serverUrl, 'select from pg_stat_activity where datname = $1 limit 1', [name]);
  return rowCount !== 0;
}

/** For each server: tests create and drop more than a thousand databases. Idle connections keep no process running. */
const pools = new Map<string, pg.Pool>();

async function run(url: string, sql: string, values?: readonly unknown[]): Promise<pg.QueryResult> {
  let pool = pools.get(url);
  if (!pool) {
    pool = new pg.Pool({ connectionString: url, max: 4, allowExitOnIdle: true });
    pool.on('error', () => {}); // an idle connection that the server ended; the next use opens another
    pools.set(url, pool);
  }
  return await pool.query(sql, values && [...values]);
}
