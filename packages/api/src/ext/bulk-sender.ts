import { findBulkSender, findKnownDomain, type BulkSender } from '@dmarc-ledger/queries';
import {
  bulkProviders,
  bulkSenderTexts,
  providerRules,
  requirements,
  type BulkItem,
  type BulkProvider,
  type BulkState,
} from '@dmarc-ledger/scoring';
import type { Db } from '@dmarc-ledger/schema';
import type { Day } from '@dmarc-ledger/vocabulary';
import { BulkSenderAnswer, type BulkSenderBody } from '../bodies/bulk-sender-schema.ts';
import { defineRoute } from '../define-route.ts';
import { whileUnchanged } from '../while-unchanged.ts';
import { notFound } from '../http/problem.ts';
import { domainParam } from '../parameters/strict.ts';
import { bulkSenderExample } from './bulk-sender-example.ts';

export const getBulkSenderRules = defineRoute({
  path: '/domains/{domain}/bulk-sender-rules',
  operationId: 'getDomainBulkSenderRules',
  permission: 'analytics:read',
  tag: 'Bulk senders',
  summary: 'Whether a domain meets the rules of Google, Yahoo and Microsoft for bulk senders.',
  description:
    'Judged by the newest checks of the DNS and by the mail of own senders in the last 30 days. What neither shows ' +
    'is listed too, and says where to look.',
  params: { domain: domainParam('Name of a domain that is monitored or has reports.') },
  answer: BulkSenderAnswer,
  errors: { 400: 'Not a valid domain name.', 404: 'Nothing is known of the domain.' },
  example: bulkSenderExample,
  heavy: 'uncapped',
  async handle(needs, { domain }) {
    const { caller, today, now, caches } = needs;
    return await whileUnchanged(needs, { cache: caches.bulkSenders, key: [domain] }, (own) =>
      bulkSenderAnswer(own, caller.orgId, { domain, today, now }),
    );
  },
});

/**
 * The answer, for callers that read the database themselves.
 * @throws {HttpProblem} `not_found` for a domain that is not monitored and has no report.
 */
export async function bulkSenderAnswer(
  db: Db,
  orgId: string,
  { domain, today, now }: { domain: string; today: Day; now: Date },
): Promise<BulkSenderBody> {
  const domainId = await findKnownDomain(db, orgId, domain);
  if (domainId === undefined) throw notFound('Domain Not Found');
  const found = await findBulkSender(db, orgId, { domain, domainId, today, now });
  const states = { met: 0, not_met: 0, unknown: 0, cannot_be_seen: 0 } satisfies { [state in BulkState]: number };
  for (const { state } of found.items) states[state] += 1;
  return {
    domain,
    days: found.days,
    from: found.from,
    to: found.to,
    summary: bulkSenderTexts.summary({ domain, notMet: states.not_met, unknown: states.unknown }),
    own_messages: found.mail.messages,
    states,
    requirements: found.items.map(toRequirement),
    providers: bulkProviders.map((provider) => toProvider(provider, found)),
  };
}

function toRequirement({ requirement, state, evidence, change }: BulkItem) {
  const { title, since } = requirements[requirement];
  const sources = bulkProviders.flatMap((provider) => {
    const month = since[provider];
    return month === undefined ? [] : { provider, page: providerRules[provider].page, since: month };
  });
  return { requirement, title, state, evidence, change, sources };
}

function toProvider(id: BulkProvider, { busiest }: BulkSender) {
  const { name, applies, page, threshold } = providerRules[id];
  const day = busiest.find(({ provider }) => provider === id);
  return {
    id,
    name,
    applies,
    page,
    threshold,
    busiest_day: day?.day ?? null,
    busiest_messages: day?.messages ?? null,
    is_bulk: day === undefined || threshold === null ? null : day.messages >= threshold,
  };
}
