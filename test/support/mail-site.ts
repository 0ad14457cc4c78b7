import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startApi } from '@dmarc-ledger/api-service';
import { countUnfinished } from '@dmarc-ledger/ledger';
import { openLogger } from '@dmarc-ledger/runtime';
import { cloneDatabase, type ClonedDatabase, type DovecotServer } from '@dmarc-ledger/testkit';
import { parseId } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import { openCommandHost } from './command.ts';
import { temporaryFolder } from './folder.ts';
import { startService, type Service } from './service.ts';
import { reportedTotals } from './reported-totals.ts';
import type { Totals } from './truth.ts';

type OwnDatabase = Omit<ClonedDatabase, 'reads' | 'socketUrl'>;

/** A ledger whose mail comes in by a mailbox, run by processes as a user starts them. */
export interface MailSite extends AsyncDisposable {
  database: OwnDatabase;
  folder: string;
  /** The environment of processes on this ledger. */
  env: { [name: string]: string };
  serve(name: 'api' | 'ingester' | 'worker' | 'scheduler', env?: { [name: string]: string }): Service;
  /** The command, which must succeed, and its JSON. */
  // oxlint-disable-next-line typescript/no-explicit-any -- what a command prints has no type
  runJson(args: string[], env?: { [name: string]: string }): Promise<any>;
  /** `mailbox add` for a user of this server; returns the mailbox's id. */
  addMailbox(server: Place, user: string, args?: string[]): Promise<string>;
  /** Waits until `mailbox list` shows this state of the one mailbox: a session reports its state only now and then. */
  mailboxShows(state: object): Promise<void>;
  /** Waits until so many mails are in the ledger. */
  entered(mails: number): Promise<void>;
  /** Waits until the first mail is in the ledger, and its mailbox is known to be connected. */
  begun(): Promise<void>;
  /** The same, and until all are put aside, and nothing of them is left to be done. */
  settled(mails: number): Promise<void>;
  /** Waits until no delivery is left whose reading was begun and did not end. */
  suspectsCleared(): Promise<void>;
  /** What is left to be done. */
  leftovers(): Promise<Leftovers>;
  totals(): Promise<Totals>;
}

/** Where a mail server is: itself, or a line to it. */
export type Place = Pick<DovecotServer, 'host' | 'tlsPort' | 'port' | 'ca' | 'password'>;

export interface Leftovers {
  mails: number;
  /** Begun to be read, and not at an end. */
  suspects: number;
  untouched: number;
  unfinished: number;
  announced: number;
}

const PATIENCE_MS = 75_000; // less than the timeout of a test, so that the error can list what is left
const ORG = 'Site';

export async function openMailSite(env: { [name: string]: string } = {}, given?: OwnDatabase): Promise<MailSite> {
  const folder = temporaryFolder();
  const database = given ?? (await cloneDatabase());
  const fixture = {
    DATABASE_URL: database.url,
    DATA_DIR: folder.path,
    SECRET_KEY: randomBytes(32).toString('hex'),
    ...env,
  };
  const services = new Set<Service>();
  const host = openCommandHost();
  const runJson = async (args: string[], more = {}) => {
    const { code, stdout, stderr } = await host.run([...args, '--json'], { ...fixture, ...more });
    if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}${stdout}`);
    return JSON.parse(stdout);
  };
  const { id: org } = await runJson(['org', 'create', ORG]);
  const { key } = await runJson(['key', 'create', '--org', org]);
  const log = openLogger({ name: 'site', level: 'silent' });
  const api = await startApi({ databaseUrl: database.url, host: '127.0.0.1', port: 0, log });
  const until = async (holds: (left: Leftovers) => boolean) => {
    let limit = Date.now() + PATIENCE_MS;
    let before = '';
    for (;;) {
      const left = await site.leftovers().catch(() => undefined); // the database may be away on purpose
      if (left && holds(left)) return;
      const now = JSON.stringify(left);
      if (left && now !== before) limit = Date.now() + PATIENCE_MS; // there is progress
      before = left ? now : before;
      if (Date.now() > limit) throw new Error(`It never came: ${now}\n${lastOf(services)}`);
      await sleep(100);
    }
  };
  const site: MailSite = {
    database,
    folder: folder.path,
    env: fixture,
    runJson,
    serve(name, more) {
      const service = startService(name, { ...fixture, ...more });
      services.add(service);
      return service;
    },
    async addMailbox({ host, tlsPort, ca, password }, user, args = []) {
      const caFile = join(folder.path, 'authority.pem');
      writeFileSync(caFile, ca);
      const place = ['--host', host, '--port', String(tlsPort), '--user', user, '--ca-file', caFile];
      const added = ['mailbox', 'add', '--org', ORG, ...place, '--password-env', 'REPORTS_PASSWORD', ...args];
      return (await runJson(added, { REPORTS_PASSWORD: password })).id;
    },
    mailboxShows: (state) =>
      vi.waitFor(async () => expect(await runJson(['mailbox', 'list'])).toMatchObject([state]), PATIENCE_MS),
    suspectsCleared: () => until(({ suspects }) => suspects === 0),
    entered: (count) => until(({ mails }) => mails >= count),
    async begun() {
      await until(({ mails }) => mails > 0);
      const connected = database.db.selectFrom('mailbox_progress').select('state').where('state', '=', 'connected');
      await vi.waitFor(async () => await connected.executeTakeFirstOrThrow(), { timeout: PATIENCE_MS, interval: 20 });
    },
    settled: (count) =>
      until(
        ({ mails, untouched, unfinished, announced }) => mails >= count && untouched + unfinished + announced === 0,
      ),
    async leftovers() {
      const { rows } = await sql<Omit<Leftovers, 'unfinished'>>`
        select (select count(*) from mailbox_item) as mails, (select count(*) from outbox) as announced,
          (select count(*) from raw_message where state in ('received', 'processing') and attempts_started > 0) as suspects,
          (select count(*) from mailbox_item where action = 'none') as untouched`.execute(database.db);
      return { ...rows[0]!, unfinished: await countUnfinished(database.db, parseId(org)!) };
    },
    totals: () => reportedTotals(api.url, key),
    async [Symbol.asyncDispose]() {
      await Promise.all([...services].map((service) => service.end('SIGKILL')));
      await api.close();
      await database[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
  return site;
}

function lastOf(services: Iterable<Service>): string {
  return [...services].map((service) => service.log().slice(-2_000)).join('\n');
}
