import type { Db } from '@dmarc-ledger/schema';
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
 * its owner out.
 */
export async function admitAttempt(db: Db, { email, network }: Attempt): Promise<boolean> {
  const ofNetwork = { subject: `network ${network}`, most: MOST.network };
  if (email === undefined) return await admit(db, [ofNetwork]);
  const account = email.toLowerCase().slice(0, 320);
  const ofBoth = { subject: `both ${account} ${network}`, most: MOST.accountFromNetwork };
  if (!(await admit(db, [ofNetwork, ofBoth]))) return false;
  return await admit(db, [{ subject: `account ${account}`, most: MOST.account }]);
}

/** The most changes of settings that connect to a server, of an organization in 15 minutes. */
const MOST_CONNECTIONS = 20;

/** Counts a change of settings that connects to a server of the person's choice, and returns whether it may go on. */
export async function admitConnection(db: Db, orgId: string): Promise<boolean> {
  return await admit(db, [{ subject: `settings ${orgId}`, most: MOST_CONNECTIONS }]);
}

/** The most mails with a link to an address in 15 minutes. */
const MOST_MAILS = 3;

/** Counts a mail with a link before it is sent, and returns whether it may be. */
export async function admitMail(db: Db, email: string): Promise<boolean> {
  return await admit(db, [{ subject: `mail ${email.toLowerCase().slice(0, 320)}`, most: MOST_MAILS }]);
}

/** The most invitations that an organization has mailed in 15 minutes. */
const MOST_INVITATIONS = 50;

/** Counts an invitation before it is mailed, and returns whether it may be: its address may belong to anybody. */
export async function admitInvitation(db: Db, orgId: string, email: string): Promise<boolean> {
  const ofOrganization = { subject: `invitations ${orgId}`, most: MOST_INVITATIONS };
  return (await admit(db, [ofOrganization])) && (await admitMail(db, email));
}

async function admit(db: Db, limits: readonly { subject: string; most: number }[]): Promise<boolean> {
  const { rows } = await sql<{ subject: string; attempts: number }>`
    with old as (
      delete from sign_in_attempt where (subject, window_begin) in (
        select subject, window_begin from sign_in_attempt where window_begin < now() - interval '1 hour' limit 100)
    )
    insert into sign_in_attempt as a (subject, window_begin, attempts)
    select subject, date_bin('15 minutes', now(), 'epoch'), 1
    from unnest(${limits.map(({ subject }) => subject)}::text[]) as subject order by subject
    on conflict (subject, window_begin) do update set attempts = a.attempts + 1
    returning subject, attempts`.execute(db);
  const attempts = new Map(rows.map((row) => [row.subject, row.attempts]));
  return limits.every(({ subject, most }) => (attempts.get(subject) ?? 0) <= most);
}
