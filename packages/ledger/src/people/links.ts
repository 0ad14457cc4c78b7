import type { Db, LinkPurpose } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import { hashToken, newToken } from './token.ts';

/** How long a link works, in hours. */
const HOURS: { [purpose in LinkPurpose]: number } = { sign_in: 24, invitation: 7 * 24, password_reset: 1 };

export interface OneTimeLink {
  /** 256 random bits, only stored as a hash. */
  token: string;
  expiresAt: Date;
}

/** Creates a link that signs a person in once, and deletes links that have expired. */
export async function createLink(db: Db, personId: string, purpose: LinkPurpose): Promise<OneTimeLink> {
  const { token, hash } = newToken();
  const { rows } = await sql<{ expires_at: Date }>`
    with expired as (
      delete from sign_in_link where token_sha256 in (
        select token_sha256 from sign_in_link where expires_at < now() - interval '1 day' limit 100)
    )
    insert into sign_in_link (token_sha256, person_id, purpose, expires_at)
    values (${hash}, ${personId}, ${purpose}, now() + make_interval(hours => ${HOURS[purpose]}))
    returning expires_at`.execute(db);
  const [created] = rows;
  if (!created) throw new Error('an insert returns its row');
  return { token, expiresAt: created.expires_at };
}

/** What a link is for, as long as it works; it is not used up. */
export async function findLink(db: Db, token: string) {
  return await db
    .selectFrom('sign_in_link as l')
    .innerJoin('person as p', 'p.id', 'l.person_id')
    .select(['l.person_id as personId', 'p.email', 'l.purpose'])
    .where('l.token_sha256', '=', hashToken(token))
    .where('l.used_at', 'is', null)
    .where('l.expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
}

/** Uses a link up. Of concurrent calls one gets the person; a link that was used or has expired gives nothing. */
export async function takeLink(db: Db, token: string) {
  return await db
    .updateTable('sign_in_link as l')
    .from('person as p')
    .set({ used_at: sql<Date>`now()` })
    .whereRef('p.id', '=', 'l.person_id')
    .where('l.token_sha256', '=', hashToken(token))
    .where('l.used_at', 'is', null)
    .where('l.expires_at', '>', sql<Date>`now()`)
    .returning(['l.person_id as id', 'p.email', 'p.password_hash as passwordHash', 'l.purpose'])
    .executeTakeFirst();
}
