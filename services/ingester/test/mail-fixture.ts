import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { openBlobs, type BlobStore } from '@dmarc-ledger/blobs';
import {
  addMailbox,
  countUnfinished,
  createOrganization,
  findDrift,
  listMailboxes,
  listMessages,
  type MailboxKey,
  type MailboxWithProgress,
  type MessageDetails,
  type NewMailbox,
} from '@dmarc-ledger/ledger';
import { findOrgTotal } from '@dmarc-ledger/queries';
import type { Database } from '@dmarc-ledger/schema';
import { secretPlace } from '@dmarc-ledger/pipeline';
import { openLogger } from '@dmarc-ledger/runtime';
import { startScheduler } from '@dmarc-ledger/scheduler-service';
import { openSecretBox, type SecretBox } from '@dmarc-ledger/secrets';
import { cloneDatabase, type ClonedDatabase, type DovecotServer } from '@dmarc-ledger/testkit';
import { startWorker } from '@dmarc-ledger/worker-service';
import { ImapFlow } from 'imapflow';
import { sql } from 'kysely';
import { startIngester, type MailboxOptions, type RunningIngester } from '../src/service.ts';

/** The address of a mail server: itself, or a faulty connection to it. */
type Place = Pick<DovecotServer, 'tlsPort' | 'ca' | 'password'>;
type Progress = MailboxWithProgress['progress'];

/** Quick, where the defaults are patient. */
const PACE = {
  rhythm: { pollMs: 2_000, followMs: 50, sessionMs: 60_000, tokenMs: 5_000, againMs: 1_000 },
  patience: { connectMs: 10_000, silenceMs: 10_000, slowestBytesPerSecond: 32 * 1024, idleMs: 1_500 },
  standbyMs: 300,
  listEveryMs: 200,
};

/** An ingester with its worker on a database of its own. */
export interface MailFixture extends AsyncDisposable {
  database: ClonedDatabase;
  blobs: BlobStore;
  secrets: SecretBox;
  orgId: string;
  log: string[];
  /** Adds a mailbox of this user, as `mailbox add` does. */
  add(server: Place, user: string, change?: Partial<NewMailbox> & { password?: string }): Promise<MailboxKey>;
  ingester(options?: Partial<MailboxOptions>): Promise<RunningIngester>;
  /** Waits until the condition holds. */
  until(what: string, holds: () => Promise<boolean>): Promise<void>;
  /** Waits until a mailbox has such progress; returns it. */
  reaches(key: MailboxKey, isReached: (progress: Progress) => boolean): Promise<Progress>;
  /** Waits until no work on the mailboxes and their mail is left. */
  settled(): Promise<void>;
  messages(): Promise<number>;
  progress(key: MailboxKey): Promise<Progress>;
  /** Deliveries with this code. */
  ledger(code: string): Promise<MessageDetails[]>;
  /** Another client of the same mailbox, its INBOX open. */
  client(server: DovecotServer, user: string): Promise<ImapFlow>;
  /** Ages all stored facts of mailboxes by so much. */
  shift(interval: string): Promise<void>;
  drift(): Promise<number>;
}

/** On a Redis, lost work is soon found again by a sweep. */
export async function openMailFixture(redisUrl?: string): Promise<MailFixture> {
  const database = await cloneDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'dmarc-ledger-blobs-'));
  const blobs = await openBlobs(pathToFileURL(folder).href);
  const secrets = openSecretBox('0123456789abcdef'.repeat(4));
  const lines: string[] = [];
  const log = openLogger({ name: 'test', level: 'warn', to: { write: (line) => void lines.push(line) } });
  const worker = await startWorker({ database, databaseUrl: database.url, redisUrl, blobs, log });
  const scheduler = redisUrl ? startScheduler({ database, log, staleAfterSeconds: 3, everyMs: 500 }) : undefined;
  const { id: orgId } = await createOrganization(database.db, { name: 'Org' });
  const running = new Set<RunningIngester>();
  const fixture: MailFixture = {
    database,
    blobs,
    secrets,
    orgId,
    log: lines,
    async add(server, user, { password = server.password, ...change } = {}) {
      const mailboxId = await addMailbox(database, orgId, {
        host: 'localhost',
        port: server.tlsPort,
        tls: 'implicit',
        ca: server.ca,
        username: user,
        folder: 'INBOX',
        auth: 'password',
        oauth: null,
        after_intake: 'move',
        processed_folder: 'Processed',
        refused_folder: 'Refused',
        shared: false,
        authserv_ids: [],
        seal: (id) => secrets.seal(password, secretPlace({ orgId, mailboxId: id }, 'secret')),
        ...change,
      });
      return { orgId, mailboxId };
    },
    async ingester(options) {
      const mailboxes = { secrets, ...PACE, ...options };
      const ingester = await startIngester({ database, blobs, log, mailboxes });
      running.add(ingester);
      return {
        uploadUrl: null,
        close: async () => {
          running.delete(ingester);
          await ingester.close();
        },
      };
    },
    async until(what, holds) {
      const limit = Date.now() + 200_000; // less than the time limit of a test
      while (!(await holds())) {
        if (Date.now() > limit) throw new Error(`It never came: ${what}\n${lines.join('')}`);
        await sleep(80);
      }
    },
    async reaches(key, isReached) {
      let progress = await fixture.progress(key);
      await fixture.until('this progress', async () => isReached((progress = await fixture.progress(key))));
      return progress;
    },
    async settled() {
      await fixture.until('all mail is put aside', async () => (await openMail(database)) === 0);
      await fixture.until('all is judged', async () => (await countUnfinished(database.db, orgId)) === 0);
    },
    messages: async () => (await findOrgTotal(database.db, orgId))?.messages ?? 0,
    progress: async ({ mailboxId }) => (await listMailboxes(database.db)).find(({ id }) => id === mailboxId)!.progress,
    ledger: (code) => listMessages(database.db, orgId, { code, limit: 100 }),
    async client({ host, tlsPort: port, ca, password: pass }, user) {
      const options = { host, port, secure: true, tls: { ca }, logger: false as const, auth: { user, pass } };
      const client = new ImapFlow(options);
      await client.connect();
      await client.mailboxOpen('INBOX');
      return client;
    },
    async shift(interval) {
      await sql`update mailbox set created_at = created_at - ${interval}::interval`.execute(database.db);
      await sql`update mailbox_progress set succeeded_at = succeeded_at - ${interval}::interval,
        arrived_at = arrived_at - ${interval}::interval`.execute(database.db);
    },
    drift: async () => (await findDrift(database, orgId)).reduce((sum, { rows }) => sum + rows, 0),
    async [Symbol.asyncDispose]() {
      for (const ingester of running) await ingester.close();
      await scheduler?.close();
      await worker.close();
      await database[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return fixture;
}

/** Unread mail in a mailbox, and received mail that is untouched. */
async function openMail({ db }: Database): Promise<number> {
  const mailboxes = await listMailboxes(db);
  if (mailboxes.some(({ progress }) => progress.succeeded_at === null)) return 1;
  const backlog = mailboxes.reduce((sum, { progress }) => sum + progress.backlog, 0);
  const open = await db.selectFrom('mailbox_item').select('uid').where('action', '=', 'none').limit(1).execute();
  return backlog + open.length;
}
