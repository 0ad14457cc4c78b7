import { addUser, admitInvitation, removeUser } from '@dmarc-ledger/ledger/for-web';
import { comparableAddress, HttpProblem, isPublicMailAddress, normalizeAddress, roles } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { defineAction, type Ask } from '../../page/define-page.ts';
import { CopyText } from '../../views/copy-text.tsx';
import { PageLink } from '../../views/page-link.tsx';
import { peoplePage } from './people-page.tsx';

const email = z
  .string()
  .trim()
  .transform(normalizeAddress)
  .refine((address) => address.length <= 254 && isPublicMailAddress(address), 'This is no e-mail address');

/**
 * Adds a member. The link by which they sign in is never shown here: with it, an owner of one organization could sign
 * in as a member of another. It goes to the address itself, or the operator of the server gives it to them.
 */
export const invite = defineAction({
  path: '/settings/people/invite',
  right: 'manage people',
  form: peoplePage,
  body: z.object({ email, role: z.enum(roles, 'There is no such role') }),
  params: z.object({}),
  async run({ db, viewer, ask }, input) {
    if (input.role === 'owner' && viewer.role !== 'owner') throw refused('Only an owner makes another owner');
    await addUser(db, viewer.orgId, input, viewer);
    const isMailed = (await admitInvitation(db, viewer.orgId, input.email)) && (await mailInvitation(ask, input.email));
    return {
      title: 'Added',
      body: (
        <section class="panel">
          <h1>{input.email} is a member now</h1>
          {isMailed ? (
            <p>A link that signs them in was mailed to them. It works once, within a week.</p>
          ) : (
            <>
              <p>
                If they have an account here, they see this organization as soon as they sign in. If not, the operator
                of this server prints a link that signs them in once:
              </p>
              <CopyText text={`dmarc-ledger sign-in ${input.email}`} />
            </>
          )}
          <p>
            <PageLink to="/settings/people">Back to the people</PageLink>
          </p>
        </section>
      ),
    };
  },
});

/** Whether a mail with a link is on its way. The member was added in any case. */
async function mailInvitation(ask: Ask, email: string): Promise<boolean> {
  try {
    return (await ask({ what: 'mail_link', email, purpose: 'invitation' }))['mailed'] === true;
  } catch (error) {
    if (error instanceof HttpProblem) return false;
    throw error;
  }
}

/** Removes a member: their keys and sessions open nothing of the organization from then on. */
export const remove = defineAction({
  path: '/settings/people/remove',
  right: 'manage people',
  form: peoplePage,
  body: z.object({ email: z.string().max(254) }),
  params: z.object({}),
  async run({ db, viewer }, input) {
    if (comparableAddress(input.email) === viewer.email) throw refused('You cannot remove yourself');
    await removeUser(db, viewer.orgId, input.email, viewer);
    return { redirect: '/settings/people' };
  },
});

function refused(error: string): HttpProblem {
  return new HttpProblem('refused', { status: 403, error });
}
