import { findDkimKeys, senderIdentity, type DkimKeyRow } from '@dmarc-ledger/queries';
import type { Db } from '@dmarc-ledger/schema';
import { instantText, type Day } from '@dmarc-ledger/vocabulary';
import { DkimKeysAnswer, type DkimKeysBody } from '../bodies/dkim-keys-schema.ts';
import { toPlacement } from '../bodies/placement-row.ts';
import { defineRoute } from '../define-route.ts';
import { whileUnchanged } from '../while-unchanged.ts';
import { notFound } from '../http/problem.ts';
import { domainParam } from '../parameters/strict.ts';
import { dkimKeysExample } from './dns-examples.ts';

export const getDkimKeys = defineRoute({
  path: '/domains/{domain}/dkim-keys',
  operationId: 'getDomainDkimKeys',
  permission: 'analytics:read',
  tag: 'DNS',
  summary: 'The DKIM keys of a domain: their use in reports, what is published, and what to do.',
  description:
    'A key is a pair of signing domain and selector with an aligned pass in the reports that are held. What is ' +
    'published is what the newest check of the DNS found; the request itself asks no name server.',
  params: { domain: domainParam('Name of a domain that is monitored or has reports.') },
  answer: DkimKeysAnswer,
  errors: { 400: 'Not a valid domain name.', 404: 'Nothing is known of the domain.' },
  example: dkimKeysExample,
  heavy: 'uncapped',
  async handle(needs, { domain }) {
    const { caller, today, now, caches } = needs;
    return await whileUnchanged(needs, { cache: caches.dkimKeys, key: [domain] }, (own) =>
      dkimKeysAnswer(own, caller.orgId, { domain, today, now }),
    );
  },
});

/**
 * The answer, for callers that read the database themselves.
 * @throws {HttpProblem} `not_found` for a domain that is not monitored and has no report.
 */
export async function dkimKeysAnswer(
  db: Db,
  orgId: string,
  asked: { domain: string; today: Day; now: Date },
): Promise<DkimKeysBody> {
  const found = await findDkimKeys(db, orgId, asked);
  if (!found) throw notFound('Domain Not Found');
  const { domain, readAt, keys, total, others } = found;
  return {
    domain,
    checked_at: readAt && instantText(readAt),
    keys: keys.map(toKey),
    total,
    other_selectors: { selectors: others.selectors, is_at_least: others.isAtLeast },
  };
}

function toKey(key: DkimKeyRow): DkimKeysBody['keys'][number] {
  const { published } = key;
  return {
    domain: key.domain,
    selector: key.selector,
    state: key.state,
    first_pass: key.firstDay,
    last_pass: key.lastDay,
    messages: key.messages30,
    messages_90_days: key.messages90,
    share: key.share,
    failing_messages: key.failingMessages,
    senders: key.senders.map((id) => ({ id, ...senderIdentity(id) })),
    published: published && published.kind !== 'unconfirmed' ? published.kind : null,
    bits: published?.bits ?? null,
    test_mode: published?.isTesting ?? false,
    published_since: published ? instantText(new Date(published.since)) : null,
    age_days: key.ageDays,
    findings: key.findings,
    placement: key.placement.map(toPlacement),
  };
}
