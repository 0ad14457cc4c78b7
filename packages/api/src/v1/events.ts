import { type EventRow, findEvents } from '@dmarc-ledger/queries';
import { alertSeverities, alertTypes, codesOf, idText, instantText } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { flag, limit, offset } from '../parameters/lenient.ts';
import { calendarDay } from '../parameters/strict.ts';
import { identifier, instant, paging, text } from '../bodies/fields.ts';

const EventAnswer = z
  .object({
    id: identifier('Of the event.'),
    type: text('A code of the `alert_type` category of `/enums`.'),
    type_label: text('Its label.'),
    severity: z.enum(codesOf(alertSeverities)).describe('How urgent it is.'),
    title: text('What happened, in a few words; ready to show.'),
    message: text('What happened, in one or two sentences; ready to show.'),
    domain: text('Empty for an event of the whole organization.'),
    link: text('Screen where it is resolved.').optional(),
    acknowledged: z.boolean().describe('Somebody has seen it.'),
    created_at: instant('When the condition was found.').nullable(),
  })
  .meta({ id: 'Event' });

export const listEvents = defineRoute({
  path: '/events',
  operationId: 'listEvents',
  permission: 'alert:read',
  tag: 'Events',
  summary: 'Conditions that needed attention, newest first.',
  query: {
    from: calendarDay('First day, UTC.'),
    to: calendarDay('Last day, UTC, included.'),
    acknowledged: flag('`true` acknowledged events, `false` open ones; without it both.'),
    limit: limit(50),
    offset,
  },
  answer: z.object({ events: z.array(EventAnswer).describe('Newest first.'), ...paging }),
  errors: { 400: '`from` or `to` is not `YYYY-MM-DD`.' },
  example: {
    events: [
      {
        id: '01JX5T3Z8QK6W4V9N2M7R1C0BD',
        type: 'report_parse_failed',
        type_label: 'Reports could not be read',
        severity: 'critical',
        title: 'Mailbox cannot be read: reports@example.com at imap.example.com, INBOX',
        message:
          'The mailbox reports@example.com at imap.example.com, INBOX is no longer read. The server rejected the ' +
          'sign-in. Correct its settings: it is tried again when they change.',
        domain: '',
        link: '/settings/mailboxes/01JX5T3Z8QK6W4V9N2M7R1C0BE',
        acknowledged: false,
        created_at: '2026-03-01T12:00:00Z',
      },
    ],
    total: 1,
    limit: 50,
    offset: 0,
  },
  async handle({ db, caller: { orgId } }, { from, to, acknowledged, ...page }) {
    const { rows, total } = await findEvents(db, orgId, { from, to, acknowledged }, page);
    return { events: rows.map(toEvent), total, ...page };
  },
});

const labels = new Map<string, string>(alertTypes.map(({ code, label }) => [code, label]));

function toEvent({ id, type, severity, title, message, domain, link, acknowledged_at, created_at }: EventRow) {
  return {
    id: idText(id),
    type,
    type_label: labels.get(type) ?? type,
    severity,
    title,
    message,
    domain,
    link: link === '' ? undefined : link,
    acknowledged: acknowledged_at !== null,
    created_at: instantText(created_at),
  };
}
