import { comparableAddress, normalizeAddress } from '@dmarc-ledger/vocabulary';
import type pg from 'pg';

/** What only addresses have that are not in the one form: letters beyond ASCII, or a dot at the end. */
const OTHERWISE = String.raw`email ~ '[^!-~]|\.$'`;

interface Member {
  org_id: string;
  id: string;
  email: string;
}

/**
 * Brings the addresses of members and people that an older version stored into the one form. PostgreSQL knows no
 * A-labels, so this is no migration in SQL: it runs after the migrations each time, and changes nothing where all is in
 * order. Of two members of an organization that are one person, both stay until somebody removes one.
 * (rules, organizations/one-person)
 */
export async function normalizeAddresses(client: pg.Client): Promise<void> {
  const { rows: members } = await client.query<Member>(`select org_id, id, email from app_user where ${OTHERWISE}`);
  for (const member of members)
    if (normalizeAddress(member.email) !== member.email) await normalizeMember(client, member);
  const { rows: people } = await client.query<Member>(`select id, email from person where ${OTHERWISE}`);
  for (const { id, email } of people)
    await client.query(
      `update person set email = $1 where id = $2 and email <> $1 and not exists (select from person where email = $1)`,
      [comparableAddress(email), id],
    );
}

/** Where a removed member has the wanted address already, the two rows exchange their addresses: these are unique. */
async function normalizeMember(client: pg.Client, { org_id: orgId, id, email }: Member): Promise<void> {
  const setAddress = async (member: string, address: string) =>
    await client.query('update app_user set email = $1 where org_id = $2 and id = $3', [address, orgId, member]);
  await client.query('begin');
  try {
    const { rows: others } = await client.query<Member & { removed: boolean }>(
      `select id, email, removed_at is not null as removed from app_user
       where org_id = $1 and lower(email) = $2 and id <> $3 for update`,
      [orgId, comparableAddress(email), id],
    );
    const wanted = normalizeAddress(email);
    const inTheWay = others.find((other) => other.email === wanted);
    if (others.every(({ removed }) => removed)) {
      if (inTheWay) await setAddress(inTheWay.id, inTheWay.id);
      await setAddress(id, wanted);
      if (inTheWay) await setAddress(inTheWay.id, email);
    }
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined); // of a lost connection, the server rolls back
    throw error;
  }
}
