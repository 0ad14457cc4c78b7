import type { Db } from '@dmarc-ledger/schema';
import { comparableAddress } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';

/** The most attempts in 15 minutes. */
const MOST = { accountFromNetwork: 10, account: 50, network: 100 };

interface Attempt {
  /** Unset: the account is known only after the attempt. */
  email?: string;
  network: string;
}

/**
 * Counts an attempt to sign in before anything is compared, and returns whether it may go on. Concurrent attempts are
 * counted one by one. What the limits of a network refuse does not count for the account: one client alone cannot keep
 * its owner out, nor fill the table with names of accounts.
 */
export async function admitAttempt(db: Db, { email, network }: Attempt): Promise<boolean> {
  if (!(await admit(db, `network ${network}`, MOST.network))) return false;
  if (email === undefined) return true;
  const account = comparableAddress(email).slice(0, 320);
  if (!(await admit(db, `both ${account} ${network}`, MOST.accountFromNetwork))) return false;
  return await admit(db, `account ${account}`, MOST.account);
}

/** The most changes of settings that connect to a server, of an organization in 15 minutes. */
const MOST_CONNECTIONS = 20;

/** Counts a change of settings that connects to a server of the person's choice, and returns whether it may go on. */
export async function admitConnection(db: Db, orgId: string): Promise<boolean> {
  return await admit(db, `settings ${orgId}`, MOST_CONNECTIONS);
}

/** The most mails with a link to an address in 15 minutes. */
const MOST_MAILS = 3;

/** Counts a mail with a link before it is sent, and returns whether it may be. */
export async function admitMail(db: Db, email: string): Promise<boolean> {
  return await admit(db, `mail ${comparableAddress(email).slice(0, 320)}`, MOST_MAILS);
}

/** The most invitations that an organization has mailed in 15 minutes. */
const MOST_INVITATIONS = 50;

/** Counts an invitation before it is mailed, and returns whether it may be: its address may belong to anybody. */
export async function admitInvitation(db: Db, orgId: string, email: string): Promise<boolean> {
  return (await admit(db, `invitations ${orgId}`, MOST_INVITATIONS)) && (await admitMail(db, email));
}

async function admit(db: Db, subject: string, most: number): Promise<boolean> {
  const { rows } = await sql<{ attempts: number }>`
    with old as (
      delete from sign_in_attempt where (subject, window_begin) in (
        select subject, window_begin from sign_in_attempt where window_begin < now() - interval '1 hour' limit 100)
    )
    insert into sign_in_attempt as a (subject, window_begin, attempts)
    values (${subject}, date_bin('15 minutes', now(), 'epoch'), 1)
    on conflict (subject, window_begin) do update set attempts = a.attempts + 1
    returning attempts`.execute(db);
  return (rows[0]?.attempts ?? 0) <= most;
}
