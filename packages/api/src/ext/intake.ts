import { countDeliveriesByCode, findDeliveries, findMailboxes, type DeliveryRow } from '@dmarc-ledger/queries';
import { addDays, idText, instantText } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { count, day, identifier, instant, text } from '../bodies/fields.ts';
import { defineRoute } from '../define-route.ts';
import { strictDays } from '../parameters/strict.ts';
import { intakeExample } from './intake-example.ts';

/** The newest refusals of an answer. */
const REFUSALS = 20;

const Mailbox = z
  .object({
    id: identifier('Of the mailbox.'),
    host: text('Its server.'),
    folder: text('The folder that is read.'),
    state: text('`new`, `connected`, `retrying`, `throttled`, `held`, `stopped` or `paused`.'),
    fault: text('Why it cannot be read: a code.').nullable(),
    succeeded_at: instant('When it was last read without a fault.').nullable(),
    backlog: count('Mails that wait there.').nullable(),
  })
  .meta({ id: 'IntakeMailbox' });

const Refusal = z
  .object({
    id: identifier('Of the delivery.'),
    received_at: instant('When it came in.'),
    name: text('Its file name or subject, as a stranger wrote it.').nullable(),
    state: text('`refused` or `quarantined`.'),
    code: text('Why.').nullable(),
    message: text('Why, in words; ready to show.').nullable(),
  })
  .meta({ id: 'IntakeRefusal' });

const IntakeAnswer = z
  .object({
    days: z.int().describe('The length of the window, which ends today.'),
    from: day('The first day.'),
    to: day('The last day, which is today.'),
    deliveries: count('Mails, uploads and files that came in.'),
    refused: count('Of these, those that could not be read, or were put aside for a look.'),
    newest_at: instant('When the newest came in.').nullable(),
    by_outcome: z
      .array(
        z.object({
          state: text('What became of them.'),
          code: text('Why, where they were not stored.').nullable(),
          deliveries: count('How many.'),
          newest_at: instant('When the newest of them came in.'),
        }),
      )
      .describe('Most first.'),
    refusals: z.array(Refusal).describe(`The newest ${REFUSALS}, those before the window included.`),
    mailboxes: z.array(Mailbox).describe('Those that are read for the organization.'),
  })
  .meta({ id: 'Intake' });

export const getIntake = defineRoute({
  path: '/intake',
  operationId: 'getIntake',
  permission: 'report:read',
  tag: 'Intake',
  summary: 'Whether reports arrive, and what could not be read.',
  query: { days: strictDays({ max: 90, standard: 30 }) },
  answer: IntakeAnswer,
  errors: { 400: '`days` is not 1 to 90.' },
  example: intakeExample,
  async handle({ db, caller: { orgId }, today }, { days }) {
    const from = addDays(today, 1 - days);
    const [counts, mailboxes, refused, quarantined] = await Promise.all([
      countDeliveriesByCode(db, orgId, from),
      findMailboxes(db, orgId),
      findDeliveries(db, orgId, { state: 'refused' }, { limit: REFUSALS }),
      findDeliveries(db, orgId, { state: 'quarantined' }, { limit: REFUSALS }),
    ]);
    const newest = counts.map((each) => each.newest.getTime());
    const refusals = [...refused, ...quarantined].toSorted((a, b) => (a.id < b.id ? 1 : -1));
    return {
      days,
      from,
      to: today,
      deliveries: sum(counts),
      refused: sum(counts.filter(({ state }) => state === 'refused' || state === 'quarantined')),
      newest_at: newest.length === 0 ? null : instantText(new Date(Math.max(...newest))),
      by_outcome: counts.map(({ state, code, deliveries, newest: at }) => ({
        state,
        code,
        deliveries,
        newest_at: instantText(at),
      })),
      refusals: refusals.slice(0, REFUSALS).map(toRefusal),
      mailboxes: mailboxes.map(({ id, host, folder, state, fault, paused_at, succeeded_at, backlog }) => ({
        id: idText(id),
        host,
        folder,
        state: paused_at ? 'paused' : state,
        fault,
        succeeded_at: succeeded_at && instantText(succeeded_at),
        backlog,
      })),
    };
  },
});

const sum = (counts: readonly { deliveries: number }[]) =>
  counts.reduce((total, { deliveries }) => total + deliveries, 0);

function toRefusal({ id, received_at, name, state, code, why }: DeliveryRow) {
  return { id: idText(id), received_at: instantText(received_at), name, state, code, message: why };
}
