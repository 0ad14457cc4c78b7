import { admitMail, findMemberships } from '@dmarc-ledger/ledger/for-web';
import { HttpProblem } from '@dmarc-ledger/vocabulary';
import { askIngester } from '../server/ask-ingester.ts';
import { peopleOf } from '../server/send-page.ts';
import type { WebNeeds } from '../server/web-needs.ts';

/** Has a member mailed a link to set a password. Nothing is sent to any other address, nor more than a few. */
export async function mailReset(needs: WebNeeds, email: string): Promise<void> {
  const db = peopleOf(needs);
  const [membership] = await findMemberships(db, email);
  if (!membership || !(await admitMail(db, email))) return;
  try {
    await askIngester(needs, membership.orgId, { what: 'mail_link', email, purpose: 'password_reset' });
  } catch (error) {
    if (!(error instanceof HttpProblem) || error.status >= 500) throw error;
  }
}
