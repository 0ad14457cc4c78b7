import { findEvents } from '@dmarc-ledger/queries';
import { idText, instantText } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { identifier, instant, paging, text } from '../bodies/fields.ts';
import { defineRoute } from '../define-route.ts';
import { limit, offset } from '../parameters/lenient.ts';
import { domainFilter } from '../parameters/strict.ts';

const Acknowledgement = z
  .object({
    event_id: identifier('Of the event, as in `/v1/events`.'),
    type: text('A code of the `alert_type` category of `/v1/enums`.'),
    title: text('What happened; ready to show.'),
    domain: text('Empty for an event of the whole organization.'),
    acknowledged_by: text('An e-mail address, or `cli`; null where it is not known.').nullable(),
    acknowledged_at: instant('When.').nullable(),
    resolved_at: instant('When the condition ended; null while it lasts.').nullable(),
  })
  .meta({ id: 'Acknowledgement' });

export const listAcknowledgements = defineRoute({
  path: '/acknowledgements',
  operationId: 'listAcknowledgements',
  permission: 'alert:read',
  tag: 'Events',
  summary: 'Who has acknowledged which event; the newest events first.',
  query: { domain: domainFilter, limit: limit(50), offset },
  answer: z.object({
    acknowledgements: z.array(Acknowledgement).describe('The page; empty when nothing matches.'),
    ...paging,
  }),
  errors: { 400: '`domain` is not a valid domain name.' },
  example: {
    acknowledgements: [
      {
        event_id: '01JX5T3Z8QK6W4V9N2M7R1C0BD',
        type: 'dmarc_record_missing',
        title: 'DMARC record removed for example.com',
        domain: 'example.com',
        acknowledged_by: 'ops@example.com',
        acknowledged_at: '2026-02-20T09:30:00Z',
        resolved_at: null,
      },
    ],
    total: 1,
    limit: 50,
    offset: 0,
  },
  async handle({ db, caller: { orgId } }, { domain, ...page }) {
    const filter = { acknowledged: true, ...(domain !== undefined && { domain }) };
    const { rows, total } = await findEvents(db, orgId, filter, page);
    const acknowledgements = rows.map((event) => ({
      event_id: idText(event.id),
      type: event.type,
      title: event.title,
      domain: event.domain,
      acknowledged_by: event.acknowledged_by,
      acknowledged_at: event.acknowledged_at && instantText(event.acknowledged_at),
      resolved_at: event.resolved_at && instantText(event.resolved_at),
    }));
    return { acknowledgements, total, ...page };
  },
});
