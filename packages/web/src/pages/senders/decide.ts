import { decideSender, withdrawDecision } from '@dmarc-ledger/ledger/for-web';
import { HttpProblem, isDomainName, normalizeDomain, senderDecisions } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { defineAction } from '../../page/define-page.ts';
import { ownPath } from '../../page/own-path.ts';

const LONGEST = { owner: 200, note: 2_000 };
const textOf = (name: keyof typeof LONGEST) =>
  z.string().trim().max(LONGEST[name], `The ${name} has at most ${LONGEST[name]} characters`).default('');

/** Records what a person decides about a sender; `undecided` withdraws it. (rules, sender-inventory/decisions) */
export const decide = defineAction({
  path: '/senders/decide',
  right: 'decide senders',
  body: z.object({
    domain: z.string().transform(normalizeDomain).refine(isDomainName, 'This is no domain name'),
    sender: z.string().min(1, 'There is no such sender').max(100, 'There is no such sender'),
    decision: z.enum([...senderDecisions, 'undecided'], 'There is no such decision'),
    owner: textOf('owner'),
    note: textOf('note'),
    back: z.string().max(2_000).catch('/senders'),
  }),
  params: z.object({}),
  async run({ db, viewer: { orgId, email: by } }, { domain, sender, decision, owner, note, back }) {
    if (decision === 'undecided') await withdrawDecision(db, orgId, { domain, sender }, by);
    else if (!(await decideSender(db, orgId, { domain, sender }, { decision, owner, note, by })))
      throw new HttpProblem('not_found', { status: 404, error: 'There is no such sender' });
    return { redirect: ownPath(back) };
  },
});
