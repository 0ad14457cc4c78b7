import { findCoverages, findDomainId, findSenders, inventorySorts } from '@dmarc-ledger/queries';
import type { Db } from '@dmarc-ledger/schema';
import { present, senderDecisions, type Day, type SenderDecision } from '@dmarc-ledger/vocabulary';
import { defineRoute, type RequestNeeds } from '../define-route.ts';
import { whileUnchanged, type UnchangedNeeds } from '../while-unchanged.ts';
import { limit, offset, oneOf, oneOfOr, search } from '../parameters/lenient.ts';
import { domainFilter } from '../parameters/strict.ts';
import { SendersAnswer, type SendersBody } from '../bodies/senders-schema.ts';
import { toSender } from './sender-row.ts';

/** A sender is seen as well as its domain was in the last days. */
const CONFIDENCE_DAYS = 30;

export const listSenders = defineRoute({
  path: '/senders',
  operationId: 'listSenders',
  permission: 'analytics:read',
  tag: 'Senders',
  summary: 'Who sends as the domains: services and networks, each with its mail and what has been decided about it.',
  description:
    'Every address of a domain belongs to one sender of it, so the sums over all rows are those of `/v1/statistics`. ' +
    'A decided sender stays on the list when none of its mail is held any more.',
  heavy: true,
  query: {
    domain: domainFilter,
    sender: search('The `id` of one sender.'),
    decision: oneOf([...senderDecisions, 'none'], 'Keeps senders with this decision; `none` those without one.'),
    sort_by: oneOfOr(inventorySorts, 'messages', 'What to sort by. Ties are settled by domain and sender.'),
    sort_dir: oneOfOr(['asc', 'desc'], 'desc', 'Direction of the sort.'),
    limit: limit(50),
    offset,
  },
  answer: SendersAnswer,
  errors: { 400: '`domain` is not a valid domain name.' },
  example: {
    senders: [
      {
        id: 'sendgrid',
        slug: 'sendgrid',
        name: 'Twilio SendGrid',
        domain: 'example.com',
        addresses: 12,
        messages: 1600,
        compliant_messages: 1580,
        compliance_rate: 98.75,
        confidence: {
          level: 'medium',
          seen_rate: 99,
          lowest_rate: 97.08,
          highest_rate: 99.2,
          text:
            'Medium confidence: the reports show 99.0 % of the expected mail, so the share that passes lies ' +
            'between 97.1 % and 99.2 %.',
        },
        spf_pass: 0,
        dkim_pass: 1580,
        forwarded_messages: 0,
        suspicious_messages: 0,
        unexplained_messages: 20,
        first_seen: '2026-02-01T00:00:00Z',
        last_seen: '2026-03-01T23:59:59Z',
        decision: 'ours',
        decided_at: '2026-02-20T09:30:00Z',
        decided_by: 'ops@example.com',
        owner: 'Marketing',
        note: null,
        suggestion: 'ours',
        suggestion_reason: 'At least 9 of 10 messages pass DMARC: the sender holds a key or is in SPF.',
        new_evidence: [],
      },
    ],
    total: 1,
    limit: 50,
    offset: 0,
  },
  handle: findSenderPage,
});

interface SendersQuestion {
  domain?: string | undefined;
  sender?: string | undefined;
  decision?: SenderDecision | 'none' | undefined;
  sort_by: (typeof inventorySorts)[number];
  sort_dir: 'asc' | 'desc';
  limit: number;
  offset: number;
}

/** One page of the inventory; kept while nothing has changed for the organization. */
export async function findSenderPage(
  needs: UnchangedNeeds & Pick<RequestNeeds, 'caches'>,
  question: SendersQuestion,
): Promise<SendersBody> {
  const { domain = '', sender = '', decision = '', ...page } = question;
  const key = [domain, sender, decision, ...Object.values(page)];
  return await whileUnchanged(needs, { cache: needs.caches.senders, key }, (own) =>
    computeSenders(own, needs.caller.orgId, question, needs.today),
  );
}

async function computeSenders(
  db: Db,
  orgId: string,
  { domain, sender, decision, sort_by, sort_dir, limit: size, offset: skipped }: SendersQuestion,
  today: Day,
): Promise<SendersBody> {
  const domainId = domain === undefined ? undefined : await findDomainId(db, orgId, domain);
  const page = { limit: size, offset: skipped };
  if (domain !== undefined && domainId === undefined) return { senders: [], total: 0, ...page };
  const slice = { ...page, sortBy: sort_by, direction: sort_dir };
  const { rows, total } = await findSenders(db, orgId, { domainId, decision, sender, today }, slice);
  const domains = [...new Set(rows.map(({ domain_id }) => domain_id))];
  const coverageOf = await findCoverages(db, orgId, domains, { days: CONFIDENCE_DAYS, today });
  const confidences = new Map(domains.map((id) => [id, coverageOf(id).confidence]));
  const senders = rows.map((row) => toSender(row, present(confidences.get(row.domain_id))));
  return { senders, total, ...page };
}
