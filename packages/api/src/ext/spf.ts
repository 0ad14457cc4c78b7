import { costOf, details } from '@dmarc-ledger/dns-records';
import { findSpf, senderIdentity, type SpfReport, type SpfSenderRow } from '@dmarc-ledger/queries';
import type { Db } from '@dmarc-ledger/schema';
import { instantText, isOneOf, type Day, checkStatuses } from '@dmarc-ledger/vocabulary';
import { SpfAnswer, type SpfBody } from '../bodies/spf-schema.ts';
import { defineRoute } from '../define-route.ts';
import { whileUnchanged } from '../while-unchanged.ts';
import { notFound } from '../http/problem.ts';
import { domainParam } from '../parameters/strict.ts';
import { spfExample } from './dns-examples.ts';

/** The most networks of a term, and the most missing addresses, in an answer. */
const NETWORKS = 50;
const ABSENT = 200;

export const getSpf = defineRoute({
  path: '/domains/{domain}/spf',
  operationId: 'getDomainSpf',
  permission: 'analytics:read',
  tag: 'DNS',
  summary: 'The SPF record of a domain with everything that it refers to, and which of it mail needs.',
  description:
    'The tree is what the newest check of the DNS read; the request itself asks no name server. Mail counts by the ' +
    'address that it came from: an address that sends as the domain passed DMARC in the last 90 days, or belongs to ' +
    'a sender that was decided to be yours.',
  params: { domain: domainParam('Name of a domain that is monitored or has reports.') },
  answer: SpfAnswer,
  errors: { 400: 'Not a valid domain name.', 404: 'Nothing is known of the domain.' },
  example: spfExample,
  heavy: 'uncapped',
  async handle(needs, { domain }) {
    const { caller, today, now, caches } = needs;
    return await whileUnchanged(needs, { cache: caches.spfs, key: [domain] }, (own) =>
      spfAnswer(own, caller.orgId, { domain, today, now }),
    );
  },
});

/**
 * The answer, for callers that read the database themselves.
 * @throws {HttpProblem} `not_found` for a domain that is not monitored and has no report.
 */
export async function spfAnswer(
  db: Db,
  orgId: string,
  asked: { domain: string; today: Day; now: Date },
): Promise<SpfBody> {
  const found = await findSpf(db, orgId, asked);
  if (!found) throw notFound('Domain Not Found');
  const { check, readAt, tree, advice } = found;
  const status = check?.status;
  return {
    domain: found.domain,
    checked_at: readAt && instantText(readAt),
    status: isOneOf(checkStatuses, status) ? status : 'unknown',
    details: check?.details ?? (found.isChecked ? details.notCheckedLately() : details.notChecked()),
    record: tree?.record ?? null,
    is_complete: tree?.isComplete ?? false,
    lookups: found.lookups,
    void_lookups: found.voids,
    terms: found.terms.map(toTerm),
    from: found.from,
    to: found.to,
    messages: found.messages,
    senders_total: found.senders,
    absent: found.absent.slice(0, ABSENT).map(toAbsent),
    absent_total: found.absent.length,
    advice,
  };
}

function toTerm({ id, parent, depth, term, use }: SpfReport['terms'][number]): SpfBody['terms'][number] {
  const { lookups, voids } = costOf([term]);
  return {
    id,
    parent,
    depth,
    term: term.text,
    mechanism: term.name,
    qualifier: term.qualifier,
    state: term.state,
    target: term.target,
    record: term.record,
    lookups,
    void_lookups: voids,
    networks: term.networks.slice(0, NETWORKS),
    networks_total: term.networks.length,
    ...use,
  };
}

function toAbsent({ sender, messages, spfPass, dkimPass, address, decision, returnPath }: SpfSenderRow) {
  return {
    address,
    sender,
    ...senderIdentity(sender),
    decision,
    messages,
    spf_pass: spfPass,
    dkim_pass: dkimPass,
    return_path: returnPath?.name ?? null,
  };
}
