import { createLink, ensurePerson, listUsers } from '@dmarc-ledger/ledger';
import { comparableAddress, HttpProblem } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import type { SettingsNeeds } from './settings-needs.ts';

/** A link for a member, to the address that is stored for them. */
export const linkInput = z.object({
  email: z.string().min(1).max(320),
  purpose: z.enum(['invitation', 'password_reset']),
});

/** Mails a member of the organization a link that signs them in once. `mailed` is false where no mail is sent. */
export async function mailOwnLink(
  { database, openNotifier }: SettingsNeeds,
  orgId: string,
  { email, purpose }: z.output<typeof linkInput>,
): Promise<{ mailed: boolean }> {
  const { db } = database;
  const wanted = comparableAddress(email);
  const members = (await listUsers(db, orgId)).filter(({ removed_at }) => removed_at === null);
  const member = members.find((one) => comparableAddress(one.email) === wanted);
  if (!member) throw new HttpProblem('not_found', { status: 404, error: 'There is no such member' });
  const { mailLink } = await openNotifier();
  if (!mailLink) return { mailed: false };
  const person = await ensurePerson(db, member.email);
  const { token, expiresAt } = await createLink(db, person.id, purpose);
  return { mailed: await mailLink(purpose, { to: member.email, token, expiresAt }) };
}
