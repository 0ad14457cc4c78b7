import { findTlsCauses, findTlsDays } from '@dmarc-ledger/queries';
import { addDays } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { count, day, text } from '../bodies/fields.ts';
import { defineRoute } from '../define-route.ts';
import { domainFilter, strictDays } from '../parameters/strict.ts';

/** The causes of an answer. */
const CAUSES = 200;

const Failure = z
  .object({
    domain: text('The policy domain.'),
    cause: text('The result type of RFC 8460 4.3; empty where the report names none.'),
    mail_server: text('The server that could not be reached encrypted; empty where the report names none.'),
    sessions: count('Failed sessions.'),
    reports: count('Reports that say so.'),
    newest_day: day('The day of the newest of them.'),
  })
  .meta({ id: 'TlsFailure' });

export const listTlsFailures = defineRoute({
  path: '/tls-failures',
  operationId: 'listTlsFailures',
  permission: 'report:read',
  tag: 'TLS',
  summary: 'Which deliveries to your servers failed to be encrypted, by cause.',
  query: { domain: domainFilter, days: strictDays({ max: 365, standard: 30 }) },
  answer: z.object({
    from: day('The first day.'),
    to: day('The last day, which is today.'),
    successful_sessions: count('Sessions that were encrypted as the policy demands.'),
    failed_sessions: count('Sessions that were not.'),
    failures: z.array(Failure).describe(`The ${CAUSES} with most sessions.`),
    failures_total: count('Causes in all.'),
  }),
  errors: { 400: '`domain` is not a valid domain name, or `days` is not 1 to 365.' },
  example: {
    from: '2026-02-01',
    to: '2026-03-02',
    successful_sessions: 5_326,
    failed_sessions: 303,
    failures: [
      {
        domain: 'example.com',
        cause: 'certificate-expired',
        mail_server: 'mx1.example.com',
        sessions: 303,
        reports: 2,
        newest_day: '2026-02-27',
      },
    ],
    failures_total: 1,
  },
  async handle({ db, caller: { orgId }, today }, { domain, days }) {
    const from = addDays(today, 1 - days);
    const filter = { domain, from, to: today };
    const [sums, causes] = await Promise.all([
      findTlsDays(db, orgId, filter),
      findTlsCauses(db, orgId, filter, { limit: CAUSES, offset: 0 }),
    ]);
    return {
      from,
      to: today,
      successful_sessions: sums.reduce((sum, { successes }) => sum + successes, 0),
      failed_sessions: sums.reduce((sum, { failures }) => sum + failures, 0),
      failures: causes.rows.map(({ receiver, newest, ...cause }) => ({
        ...cause,
        mail_server: receiver,
        newest_day: newest,
      })),
      failures_total: causes.total,
    };
  },
});
