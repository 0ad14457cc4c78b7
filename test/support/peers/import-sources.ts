import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import {
  cloneDatabase,
  emptyDatabase,
  mariadbServer,
  type ClonedDatabase,
  type MariadbServer,
} from '@dmarc-ledger/testkit';
import pg from 'pg';
import { temporaryFolder } from '../folder.ts';
import { dmarcSrg, dmarcts, parsedmarcTables } from './databases.ts';
import { fileOf, parsedmarcFiles } from './parsedmarc-files.ts';

/** The words and variables with which `import` reads a source. */
export interface OpenedSource {
  args: string[];
  env: { [name: string]: string };
}

/** What another tool keeps. */
export interface ImportSource {
  name: string;
  /** Whether every second report has what the reporter sent. */
  isHalfRaw: boolean;
  /** Makes it, with so many reports. */
  open: (place: SourcePlace, reports: number) => Promise<OpenedSource>;
}

/** Where sources are made, and the ledger that they are imported into. */
export interface SourcePlace extends AsyncDisposable {
  folder: string;
  mariadb: MariadbServer;
  database: ClonedDatabase;
  /** The variables of a command on the ledger. */
  env: { DATABASE_URL: string; DATA_DIR: string };
}

export async function openSourcePlace(): Promise<SourcePlace> {
  const folder = temporaryFolder();
  const [database, mariadb] = await Promise.all([cloneDatabase(), mariadbServer()]);
  return {
    folder: folder.path,
    mariadb,
    database,
    env: { DATABASE_URL: database.url, DATA_DIR: join(folder.path, 'data') },
    async [Symbol.asyncDispose]() {
      await mariadb.stop();
      await database[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

const fileSources = parsedmarcFiles.map((file) => ({
  name: `parsedmarc ${file}`,
  isHalfRaw: false,
  open: async ({ folder }: SourcePlace, reports: number): Promise<OpenedSource> => {
    const path = join(folder, `${reports}-${file}`);
    await pipeline(fileOf(file, reports), createWriteStream(path));
    return { args: ['parsedmarc', path], env: {} };
  },
}));

const databaseSources: ImportSource[] = [
  {
    name: 'parsedmarc on PostgreSQL',
    isHalfRaw: false,
    open: async (_, reports) => inDatabase(['parsedmarc-database'], await postgres(parsedmarcTables(reports))),
  },
  {
    name: 'dmarcts-report-parser on MariaDB',
    isHalfRaw: true,
    open: async ({ mariadb }, reports) =>
      inDatabase(['dmarcts'], await mariadb.createDatabase('dmarcts', dmarcts('mysql', reports))),
  },
  {
    name: 'dmarcts-report-parser on PostgreSQL',
    isHalfRaw: true,
    open: async (_, reports) => inDatabase(['dmarcts'], await postgres(dmarcts('postgres', reports))),
  },
  {
    name: 'dmarc-srg on MariaDB',
    isHalfRaw: false,
    open: async ({ mariadb }, reports) =>
      inDatabase(['dmarc-srg', '--prefix', 'x_'], await mariadb.createDatabase('srg', dmarcSrg(reports, 'x_'))),
  },
  {
    name: 'dmarc-srg on PostgreSQL',
    isHalfRaw: false,
    open: async (_, reports) =>
      inDatabase(['dmarc-srg', '--prefix', 'x_'], await postgres(dmarcSrg(reports, 'x_', true))),
  },
];

/** Everything that `import` reads. */
export const importSources: readonly ImportSource[] = [...fileSources, ...databaseSources];

function inDatabase([tool = '', ...more]: string[], url: string): OpenedSource {
  return { args: [tool, '--database-env', 'SOURCE_URL', ...more], env: { SOURCE_URL: url } };
}

async function postgres(statements: Iterable<string>): Promise<string> {
  const { url } = await emptyDatabase();
  const client = new pg.Client(url);
  await client.connect();
  await client.query("set time zone 'UTC'");
  for (const statement of statements) await client.query(statement);
  await client.end();
  return url;
}
