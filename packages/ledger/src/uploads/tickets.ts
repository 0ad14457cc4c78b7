import { createHash, randomBytes } from 'node:crypto';
import type { Db } from '@dmarc-ledger/schema';
import { idText, parseId } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';

const BYTES = 32;
const SHAPE = /^dmu_([0-9A-Z]{26})_[A-Za-z0-9_-]{43}$/;

/** What a ticket is for: uploads, one change of settings, or raw bytes once. */
type TicketPurpose = 'upload' | 'settings' | 'raw';

/**
 * Creates a ticket with which the pages ask the ingester for something in the name of an organization, for 15 minutes.
 * Expired tickets of the organization are deleted. A ticket names its organization; only its hash is stored.
 */
export async function createTicket(db: Db, orgId: string, purpose: TicketPurpose = 'upload'): Promise<string> {
  const token = `dmu_${idText(orgId)}_${randomBytes(BYTES).toString('base64url')}`;
  await sql`delete from upload_ticket where org_id = ${orgId} and expires_at < now()`.execute(db);
  await sql`insert into upload_ticket (org_id, token_sha256, purpose, expires_at)
    values (${orgId}, ${hashOf(token)}, ${purpose}, now() + interval '15 minutes')`.execute(db);
  return token;
}

/** The organization of a ticket that serves once, which is used up; undefined for any other text or purpose. */
export async function takeTicket(
  db: Db,
  token: string,
  purpose: Exclude<TicketPurpose, 'upload'>,
): Promise<string | undefined> {
  const orgId = await findTicketOwner(db, token, purpose);
  if (orgId === undefined) return undefined;
  const taken = await db
    .deleteFrom('upload_ticket')
    .where('org_id', '=', orgId)
    .where('token_sha256', '=', hashOf(token))
    .returning('org_id')
    .executeTakeFirst();
  return taken?.org_id;
}

/** The organization of a ticket; undefined for another text or purpose, and for one that has expired. */
export async function findTicketOwner(
  db: Db,
  token: string,
  purpose: TicketPurpose = 'upload',
): Promise<string | undefined> {
  const orgId = parseId(SHAPE.exec(token)?.[1] ?? '');
  if (orgId === undefined) return undefined;
  const ticket = await db
    .selectFrom('upload_ticket')
    .innerJoin('organization', 'organization.id', 'upload_ticket.org_id')
    .select('upload_ticket.org_id')
    .where('upload_ticket.org_id', '=', orgId)
    .where('token_sha256', '=', hashOf(token))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', sql<Date>`now()`)
    .where('organization.suspended_at', 'is', null)
    .where('organization.removed_at', 'is', null)
    .executeTakeFirst();
  return ticket?.org_id;
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
