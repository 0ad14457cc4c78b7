import { addOperator, addUser, createLink, ensurePerson, listUsers, type OneTimeLink } from '@dmarc-ledger/ledger';
import type { Db } from '@dmarc-ledger/schema';

/** The owner of an organization that nobody was added to; the address leads nowhere. */
const OWNER = 'owner@localhost';

/**
 * A link that signs the first owner of an organization in to the pages, once. An owner who is created here runs the
 * installation: nobody else can be at this terminal.
 */
export async function firstLink(db: Db, orgId: string): Promise<OneTimeLink> {
  const users = (await listUsers(db, orgId)).filter(({ removed_at }) => removed_at === null);
  const owner = users.find(({ role }) => role === 'owner')?.email ?? (await addOwner(db, orgId));
  const person = await ensurePerson(db, owner);
  return await createLink(db, person.id, 'sign_in');
}

async function addOwner(db: Db, orgId: string): Promise<string> {
  await addUser(db, orgId, { email: OWNER, role: 'owner' });
  await addOperator(db, OWNER);
  return OWNER;
}
