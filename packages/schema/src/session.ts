import { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { WorkSlices } from '@dmarc-ledger/vocabulary';
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Db } from './database.ts';
import type { Tables } from './tables/tables.ts';

/** A statement that every connection keeps prepared under its name. */
export interface Statement {
  name: string;
  text: string;
  /**
   * Each of its look-ups names an order that the key delivers: a plan that sorts there is taken only if there is no
   * other, whatever the statistics say of the indexes.
   */
  inKeyOrder?: true;
}

/** One transaction on one connection: queries through `db`, prepared statements, rows by COPY. */
export interface Session {
  db: Db;
  run<Row extends pg.QueryResultRow>(statement: Statement, values: unknown[]): Promise<Row[]>;
  /** Runs a statement without preparing it. */
  query: (text: string, values?: unknown[]) => Promise<void>;
  /** Sends rows in COPY's text format. */
  copy(target: string, lines: Iterable<string> | AsyncIterable<string>): Promise<void>;
}

/** Characters that are sent to COPY at a time: each piece is a message of its own. */
const PIECE = 65_536;

/** Returns the session of a transaction that has begun on this connection. */
export function sessionOn(client: pg.PoolClient): Session {
  return {
    db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool: poolOf(client) }) }),
    async run<Row extends pg.QueryResultRow>({ name, text, inKeyOrder }: Statement, values: unknown[]) {
      if (inKeyOrder) await client.query('set local enable_sort = off');
      const { rows } = await client.query<Row>({ name, text, values });
      if (inKeyOrder) await client.query('set local enable_sort = on');
      return rows;
    },
    async query(text, values = []) {
      await client.query(text, values);
    },
    async copy(target, lines) {
      const sink = client.query(copyFrom(`copy ${target} from stdin`));
      if (!(Symbol.iterator in lines)) return await pipeline(Readable.from(lines, { objectMode: false }), sink);
      const ended = finished(sink);
      ended.catch(() => undefined); // awaited below; an error before that must not crash the process
      const work = new WorkSlices();
      let piece = '';
      for (const chunk of lines) {
        piece += chunk;
        if (piece.length >= PIECE) {
          sink.write(piece); // all chunks are in memory already
          piece = '';
        }
        await work.pause();
      }
      sink.end(piece);
      await ended;
    },
  };
}

/** A pool of this one connection, so that Kysely's queries run inside its transaction. */
function poolOf(client: pg.PoolClient): PostgresPool {
  const borrowed = { query: client.query.bind(client), release: () => undefined } as PostgresPoolClient;
  return { options: {}, connect: async () => borrowed, end: async () => undefined };
}
