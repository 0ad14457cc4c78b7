import { connect } from 'node:net';
import { createKey, createOrganization, type NewKey } from '@dmarc-ledger/ledger';
import type { Database, Db, Reads } from '@dmarc-ledger/schema';
import { cloneDatabase } from '@dmarc-ledger/testkit';
import { makeApi, type ApiOptions, type Call } from '../src/index.ts';

export const TODAY = new Date('2026-03-10T12:00:00Z');

/** The parts of a response that tests read. */
export interface Got {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed body, of the endpoint's shape. */
  // oxlint-disable-next-line typescript/no-explicit-any -- what a client gets has no type
  body: any;
}

export interface Served extends AsyncDisposable {
  database: Database;
  db: Db;
  reads: Reads;
  url: string;
  /** The calls that the observer received. */
  calls: Call[];
  forgetKeys(): void;
  get(path: string, headers?: { [name: string]: string }): Promise<Got>;
  /** Closes the API; the database stays until the fixture is disposed. */
  close(): Promise<void>;
  /** Sends raw bytes, and returns what is received until the server closes. */
  raw(bytes: string): Promise<string>;
}

/** Serves the API over HTTP on a database of its own. */
export async function serveApi(
  options: {
    now?: () => Date;
    limit?: (db: Db) => ApiOptions['limiter'];
    routes?: ApiOptions['routes'];
    connections?: number;
  } = {},
): Promise<Served> {
  const { now = () => TODAY, limit, routes, connections } = options;
  const database = await cloneDatabase();
  const calls: Call[] = [];
  const observe = (call: Call) => void calls.push(call);
  const api = makeApi({
    db: database.db,
    reads: database.reads,
    now,
    routes,
    limiter: limit?.(database.db),
    observe,
    ...(connections !== undefined && { connections }),
  });
  const url = await api.listen({ host: '127.0.0.1', port: 0 });
  return {
    database,
    db: database.db,
    reads: database.reads,
    url,
    calls,
    forgetKeys: () => api.forgetKeys(),
    get: (path, headers = {}) => got(url + path, headers),
    raw: (bytes) => exchange(Number(new URL(url).port), bytes),
    close: () => api.close(),
    async [Symbol.asyncDispose]() {
      await api.close();
      await database[Symbol.asyncDispose]();
    },
  };
}

async function got(url: string, headers: { [name: string]: string }): Promise<Got> {
  const response = await fetch(url, { headers });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
}

function exchange(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes, 'latin1'));
    let answer = '';
    socket.setEncoding('latin1').on('data', (piece) => (answer += String(piece)));
    socket.on('close', () => resolve(answer)).on('error', reject);
  });
}

/** Creates an organization with a key, and returns a client for it. */
export async function givenOrganization(served: Served, name: string, key: NewKey = { scope: 'read' }) {
  const { id } = await createOrganization(served.db, { name });
  const created = await createKey(served.db, id, key);
  const headers = { authorization: `Bearer ${created.key}` };
  return {
    id,
    key: created.key,
    keyId: created.id,
    /** Asks version 1. */
    get: (path: string) => served.get(`/v1${path}`, headers),
    /** Asks at a full path. */
    ask: (path: string) => served.get(path, headers),
  };
}
