import { digestHtml, type DigestLinks, digestOf, digestText, periodOf } from '@dmarc-ledger/digest';
import { findDigestFacts } from '@dmarc-ledger/facts';
import { beginIssue, type BegunIssue, endIssue, extendIssue, type IssueEnd, type IssueKey } from '@dmarc-ledger/ledger';
import type { Mail } from '@dmarc-ledger/lookups';
import type { Database, Db } from '@dmarc-ledger/schema';
import { dayOf, idText, pathIn, pathOf, permissionsOf } from '@dmarc-ledger/vocabulary';
import type { Notifier } from './notifier.ts';

export interface DigestNeeds {
  database: Database;
  notifier: Pick<Notifier, 'appUrl' | 'mail'>;
  /** Unset: the time of this machine. */
  now?: () => Date;
}

const LEASE_SECONDS = 300;
/** To store the answer that a mail server has given at the last moment. */
const STORE_SECONDS = 60;
const RETRY_AFTER = [300, 1_800, 7_200, 21_600];
const MOST_TRIES = RETRY_AFTER.length + 1;

/**
 * Sends the digest that is due for a member, once; on failure it schedules the next try. A member whose role sees no
 * figures gets none. The member may receive it twice, with the same `Message-ID`, when this process dies before it has
 * stored the answer, or when the mail server answers far too late.
 */
export async function sendDigest({ database, notifier, now = () => new Date() }: DigestNeeds, key: IssueKey) {
  const begun = await beginIssue(database.db, key, { leaseSeconds: LEASE_SECONDS, now: now() });
  if (!begun) return; // another worker has it, or there is no one to send it to
  // the workers of the earlier tries have died, or could not write it
  if (begun.tries > MOST_TRIES)
    return await endIssue(database.db, begun, { state: 'given_up', code: 'interrupted' }, now());
  if (!permissionsOf('read', begun.role).has('analytics:read'))
    return await endIssue(database.db, begun, { state: 'given_up', code: 'not_allowed' }, now());
  const mail = await digestMail(database.db, begun, { appUrl: notifier.appUrl, now: now() });
  const hold = (ms: number) => extendIssue(database.db, begun, ms / 1_000 + STORE_SECONDS);
  const { isDelivered, code } = await notifier.mail(mail, hold);
  await endIssue(database.db, begun, endOf(begun, isDelivered, code), now());
}

function endOf({ tries }: BegunIssue, isDelivered: boolean, code: string | null): IssueEnd {
  if (isDelivered) return { state: 'sent' };
  const retryAfterSeconds = RETRY_AFTER[tries - 1];
  const failed = { code: code ?? 'mail_refused' };
  return retryAfterSeconds === undefined
    ? { state: 'given_up', ...failed }
    : { state: 'failed', ...failed, retryAfterSeconds };
}

async function digestMail(
  db: Db,
  issue: BegunIssue,
  { appUrl, now }: { appUrl: string | undefined; now: Date },
): Promise<Mail> {
  const { orgId, userId, day, frequency, domains, organization, role, email } = issue;
  const seesEvents = permissionsOf('read', role).has('alert:read');
  const period = periodOf(frequency, day);
  const today = dayOf(Math.floor(now.getTime() / 1_000));
  const digest = digestOf(await findDigestFacts(db, orgId, { period, domains, organization, seesEvents, today }));
  const links = linksOf(issue, appUrl);
  return {
    to: [email],
    subject: digest.subject,
    text: digestText(digest, links),
    html: digestHtml(digest, links),
    unsubscribe: links.unsubscribe,
    id: `digest.${idText(orgId)}.${idText(userId)}.${day}`.toLowerCase(),
    list: { id: `${idText(orgId)}.digest`.toLowerCase(), name: 'DMARC Ledger digest' },
  };
}

function linksOf({ orgId, userId, token }: BegunIssue, appUrl: string | undefined): DigestLinks {
  if (appUrl === undefined) return { home: undefined, unsubscribe: undefined };
  const of = [idText(orgId), idText(userId), token].join('.');
  return {
    home: `${appUrl}${pathIn(orgId, pathOf({ page: 'home' }))}`,
    unsubscribe: `${appUrl}/digest/unsubscribe?of=${of}`,
  };
}
