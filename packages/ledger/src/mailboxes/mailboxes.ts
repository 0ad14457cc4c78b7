import {
  type Database,
  type Db,
  type MailboxProgressTable,
  type MailboxState,
  type MailboxTable,
  type OauthSettings,
  transact,
} from '@dmarc-ledger/schema';
import { newId, normalizeDomain } from '@dmarc-ledger/vocabulary';
import { type Insertable, type Selectable, sql } from 'kysely';
import { AccessError } from '../access/errors.ts';
import { lockName } from '../access/lock-name.ts';
import { type Changer, expectMember } from '../access/users.ts';
import { announceMailboxChange } from './announce.ts';

export interface MailboxKey {
  orgId: string;
  mailboxId: string;
}

/** A mailbox as the user describes it; `seal` encrypts its secret once the mailbox's id is known. */
export interface NewMailbox extends Pick<
  MailboxTable,
  'host' | 'port' | 'tls' | 'ca' | 'username' | 'folder' | 'auth' | 'after_intake' | 'processed_folder'
> {
  refused_folder: string;
  shared: boolean;
  authserv_ids: string[];
  /** True: only public addresses of its server are connected to. Default false. */
  public_only?: boolean;
  oauth: OauthSettings | null;
  seal: (mailboxId: string) => Buffer;
}

export type Mailbox = Selectable<MailboxTable>;
export type MailboxWithProgress = Mailbox & { progress: Selectable<MailboxProgressTable> };

/**
 * Adds a mailbox. If the organization has one for the same host, port, user and folder, that one is updated and
 * continues where it was; a stopped mailbox is started again. Concurrent calls come one after another.
 * @param most The most mailboxes of the organization with this one.
 * @param by A member who adds it, and must have their role still: its server may have taken its time.
 * @throws {AccessError} `too_many`, `not_allowed`
 */
export async function addMailbox(
  database: Database,
  orgId: string,
  { seal, oauth, ...mailbox }: NewMailbox,
  { most = Infinity, by }: { most?: number; by?: Changer | undefined } = {},
): Promise<string> {
  return await transact(database, async ({ db }) => {
    if (by) await expectMember(db, orgId, by);
    await lockName(db, `mailbox|${orgId}`);
    const known = await mailboxAt(db, orgId, mailbox).select('id').forUpdate().executeTakeFirst();
    if (!known && (await countMailboxes(db, orgId)) >= most)
      throw new AccessError('too_many', `An organization has at most ${most} mailboxes. Remove one first.`);
    const id = known?.id ?? newId();
    const described: Omit<Insertable<MailboxTable>, 'org_id' | 'id'> = {
      ...mailbox,
      public_only: mailbox.public_only ?? false,
      secret: seal(id),
      oauth: oauth && JSON.stringify(oauth),
      token: null,
      token_expires_at: null,
    };
    if (known) {
      await db.updateTable('mailbox').set(described).where('org_id', '=', orgId).where('id', '=', id).execute();
      await resumeMailbox(db, { orgId, mailboxId: id });
    } else {
      await db
        .insertInto('mailbox')
        .values({ org_id: orgId, id, ...described })
        .execute();
      await db.insertInto('mailbox_progress').values({ org_id: orgId, mailbox_id: id }).execute();
    }
    await announceMailboxChange(db);
    return id;
  });
}

/** What identifies a mailbox of an organization. */
type MailboxPlace = Pick<NewMailbox, 'host' | 'port' | 'username' | 'folder'>;

/** Returns the settings of the organization's mailbox at this place, or undefined. */
export async function findMailboxAt(db: Db, orgId: string, place: MailboxPlace): Promise<Mailbox | undefined> {
  return await mailboxAt(db, orgId, place).selectAll().executeTakeFirst();
}

function mailboxAt(db: Db, orgId: string, { host, port, username, folder }: MailboxPlace) {
  return db
    .selectFrom('mailbox')
    .where('org_id', '=', orgId)
    .where(sql`rtrim(lower(host), '.')`, '=', normalizeDomain(host))
    .where('port', '=', port)
    .where('username', '=', username)
    .where('folder', '=', folder)
    .where('removed_at', 'is', null);
}

async function countMailboxes(db: Db, orgId: string): Promise<number> {
  const { mailboxes } = await db
    .selectFrom('mailbox')
    .select((eb) => eb.fn.countAll<number>().as('mailboxes'))
    .where('org_id', '=', orgId)
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow();
  return mailboxes;
}

/** Restarts a mailbox that had stopped. One that is being attempted is not stopped by the outcome (`noteTrouble`). */
export async function resumeMailbox(db: Db, { orgId, mailboxId }: MailboxKey): Promise<void> {
  await db
    .updateTable('mailbox_progress')
    .set({ state: sql<MailboxState>`case state when 'stopped' then 'new' else state end`, attempted_at: null })
    .where('org_id', '=', orgId)
    .where('mailbox_id', '=', mailboxId)
    .execute();
  await announceMailboxChange(db);
}

/** Pauses a mailbox, and ends its session at once, or has it read again. Returns false if there is none. */
export async function setMailboxPaused(db: Db, { orgId, mailboxId }: MailboxKey, isPaused: boolean): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('mailbox')
    .set({ paused_at: isPaused ? sql<Date>`coalesce(paused_at, now())` : null })
    .where('org_id', '=', orgId)
    .where('id', '=', mailboxId)
    .where('removed_at', 'is', null)
    .executeTakeFirst();
  await announceMailboxChange(db);
  return numUpdatedRows > 0n;
}

/** Removes a mailbox and ends its session at once. Its deliveries stay. Returns false if there is none. */
export async function removeMailbox(db: Db, { orgId, mailboxId }: MailboxKey): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('mailbox')
    .set({ removed_at: new Date(), secret: Buffer.alloc(0), token: null })
    .where('org_id', '=', orgId)
    .where('id', '=', mailboxId)
    .where('removed_at', 'is', null)
    .executeTakeFirst();
  await announceMailboxChange(db);
  return numUpdatedRows > 0n;
}

/** Lists the mailboxes of an organization, or of all, with their status. */
export async function listMailboxes(db: Db, orgId?: string): Promise<MailboxWithProgress[]> {
  let query = db.selectFrom('mailbox').selectAll().where('removed_at', 'is', null);
  if (orgId !== undefined) query = query.where('org_id', '=', orgId);
  const mailboxes = await query.orderBy('org_id').orderBy('id').execute();
  let rows = db.selectFrom('mailbox_progress').selectAll();
  if (orgId !== undefined) rows = rows.where('org_id', '=', orgId);
  const progress = new Map((await rows.execute()).map((row) => [`${row.org_id}/${row.mailbox_id}`, row]));
  return mailboxes.map((mailbox) => ({ ...mailbox, progress: progress.get(`${mailbox.org_id}/${mailbox.id}`)! }));
}

/** Finds a mailbox by its id alone: ids are unique, and the operator may know no more. */
export async function findMailbox(db: Db, mailboxId: string): Promise<Mailbox | undefined> {
  return await db
    .selectFrom('mailbox')
    .selectAll()
    .where('id', '=', mailboxId)
    .where('removed_at', 'is', null)
    .executeTakeFirst();
}
