import { findDecisionChanges, findDomainId, senderIdentity } from '@dmarc-ledger/queries';
import { instantText } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { instant, paging, text } from '../bodies/fields.ts';
import { defineRoute } from '../define-route.ts';
import { limit, offset, search } from '../parameters/lenient.ts';
import { domainFilter } from '../parameters/strict.ts';
import { decisionField, identityFields } from '../bodies/senders-schema.ts';

const Change = z
  .object({
    ...identityFields,
    domain: text('Domain that the decision is about.'),
    decision: decisionField.describe('The decision from then on; null where it was withdrawn.'),
    owner: text('Who answers for the sender.').nullable(),
    note: text('What was noted with the decision.').nullable(),
    changed_by: text('Who changed it: an e-mail address, or `cli`.'),
    changed_at: instant('When it was changed.'),
  })
  .meta({ id: 'SenderDecisionChange' });

export const listDecisionChanges = defineRoute({
  path: '/senders/history',
  operationId: 'listSenderDecisionChanges',
  permission: 'analytics:read',
  tag: 'Senders',
  summary: 'Every change of a decision about a sender, newest first.',
  query: { domain: domainFilter, sender: search('The `id` of one sender.'), limit: limit(50), offset },
  answer: z.object({ changes: z.array(Change).describe('The page; empty when nothing matches.'), ...paging }),
  errors: { 400: '`domain` is not a valid domain name.' },
  example: {
    changes: [
      {
        id: 'sendgrid',
        slug: 'sendgrid',
        name: 'Twilio SendGrid',
        domain: 'example.com',
        decision: 'ours',
        owner: 'Marketing',
        note: null,
        changed_by: 'ops@example.com',
        changed_at: '2026-02-20T09:30:00Z',
      },
    ],
    total: 1,
    limit: 50,
    offset: 0,
  },
  async handle({ db, caller: { orgId } }, { domain, sender, ...page }) {
    const domainId = domain === undefined ? undefined : await findDomainId(db, orgId, domain);
    if (domain !== undefined && domainId === undefined) return { changes: [], total: 0, ...page };
    const { rows, total } = await findDecisionChanges(db, orgId, { domainId, sender, ...page });
    const changes = rows.map(({ sender: id, owner, note, changed_at, ...row }) => ({
      ...row,
      id,
      ...senderIdentity(id),
      owner: owner || null,
      note: note || null,
      changed_at: instantText(changed_at),
    }));
    return { changes, total, ...page };
  },
});
