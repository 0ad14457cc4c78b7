import { countRecordChanges, findKnownDomain, findRecordChanges } from '@dmarc-ledger/queries';
import { addDays, idText, instantText, protocols, startOfDay } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { day, identifier, instant, paging, text } from '../bodies/fields.ts';
import { defineRoute } from '../define-route.ts';
import { limit, offset } from '../parameters/lenient.ts';
import { domainFilter, strictDays } from '../parameters/strict.ts';

const Change = z
  .object({
    id: identifier('Of the change.'),
    domain: text('The domain.'),
    protocol: z.enum(protocols).describe('Which of its records.'),
    changed_at: instant('When a check found it.'),
    status: text('The status of the records since then: `ok`, `warning`, `error` or `unknown`.'),
    details: text('What a check says of them; ready to show.'),
    before: z.array(z.string()).describe('The records that were published.'),
    after: z.array(z.string()).describe('The records that are published since; empty: none.'),
  })
  .meta({ id: 'RecordChange' });

export const listRecordChanges = defineRoute({
  path: '/record-changes',
  operationId: 'listRecordChanges',
  permission: 'domain:read',
  tag: 'DNS',
  summary: 'What changed in the published records, newest first.',
  description: 'A change is what a check found otherwise than the check before it. A first finding is none.',
  query: { domain: domainFilter, days: strictDays({ max: 365, standard: 30 }), limit: limit(50), offset },
  answer: z.object({
    from: day('The first day.'),
    to: day('The last day, which is today.'),
    changes: z.array(Change).describe('The page; empty when nothing changed.'),
    ...paging,
  }),
  errors: { 400: '`domain` is not a valid domain name, or `days` is not 1 to 365.' },
  example: {
    from: '2026-02-01',
    to: '2026-03-02',
    changes: [
      {
        id: '01JX5T3Z8QK6W4V9N2M7R1C0BD',
        domain: 'example.com',
        protocol: 'dmarc' as const,
        changed_at: '2026-02-20T09:30:00Z',
        status: 'warning',
        details: 'The policy is p=none: nothing is enforced.',
        before: ['v=DMARC1; p=quarantine'],
        after: ['v=DMARC1; p=none'],
      },
    ],
    total: 1,
    limit: 50,
    offset: 0,
  },
  async handle({ db, caller: { orgId }, today }, { domain, days, ...page }) {
    const from = addDays(today, 1 - days);
    const domainId = domain === undefined ? undefined : await findKnownDomain(db, orgId, domain);
    if (domain !== undefined && domainId === undefined) return { from, to: today, changes: [], total: 0, ...page };
    const question = { since: new Date(startOfDay(from) * 1_000), subjects: protocols, domainId };
    const found = await findRecordChanges(db, orgId, question, page);
    const total = await countRecordChanges(db, orgId, question);
    const changes = found.map(({ id, subject, at, status, details, records, earlier, domain: name }) => ({
      id: idText(id),
      domain: name,
      protocol: z.enum(protocols).parse(subject),
      changed_at: instantText(at),
      status,
      details,
      before: earlier,
      after: records,
    }));
    return { from, to: today, changes, total, ...page };
  },
});
