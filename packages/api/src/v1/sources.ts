import { findSourceKnowledge, sourceClassOf, type SourceKnowledge } from '@dmarc-ledger/facts';
import { findOrgTotal, findSources, type SourceListRow } from '@dmarc-ledger/queries';
import { servicesNamed } from '@dmarc-ledger/sources';
import { blocklistSeverities, codesOf, reputationStatuses, sourceClasses } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { defineRoute, type RequestNeeds } from '../define-route.ts';
import { flag, limit, offset, oneOf, oneOfOr, search } from '../parameters/lenient.ts';
import { domainFilter } from '../parameters/strict.ts';
import { hasAny, paging, text } from '../bodies/fields.ts';
import { serviceFields, sourceFigures, toSourceFigures } from './source-figures.ts';
import { toRowKnowledge } from './source-knowledge.ts';

const statuses = codesOf(reputationStatuses);

const SourceRowAnswer = z
  .object({
    ...sourceFigures,
    domains: text('Domains that it sends as, separated by commas.'),
    ...serviceFields,
    abuse_status: z
      .enum(statuses)
      .optional()
      .describe('Absent without a reputation record; `unknown` when it was never scored.'),
    abuse_score: z.int().max(100).optional().describe('Higher is worse; negative when never scored; omitted when 0.'),
    reputation_reason: text('Why it is rated as it is.').optional(),
    blocklist_severity: z.enum(blocklistSeverities).describe('How much of a problem the blocklists make of it.'),
    blocklist_summary: text('What the blocklists say.').optional(),
    isp: text('Access provider.').optional(),
    country: text('Two-letter country code.').optional(),
    hostname: text('Reverse DNS name.').optional(),
    classification: z.enum(sourceClasses).describe('What it is taken for.'),
  })
  .meta({ id: 'SourceRow' });

const sorts = [
  'total_messages',
  'source_ip',
  'first_seen',
  'last_seen',
  'compliance',
  'auth_failures',
  'domains',
] as const;

export const listSources = defineRoute({
  path: '/sources',
  operationId: 'listSources',
  permission: 'analytics:read',
  tag: 'Sources',
  summary: "The addresses that send mail as the organization's domains.",
  query: {
    domain: domainFilter,
    search: search(
      'Part of the address, of a domain (as A-labels or U-labels) or of the name of a sending service, in any case. ' +
        'An address in full is found in any of its forms, and its source comes first in the default order.',
    ),
    reputation: oneOf(
      statuses,
      'Keeps sources of one reputation; one without a reputation record has none of the four.',
    ),
    has_failures: flag('`true` keeps sources with SPF or DKIM failures, also where all messages passed DMARC.'),
    sort_by: oneOfOr(
      sorts,
      'total_messages',
      'What to sort by. Ties are settled by address; rows without a value come last.',
    ),
    sort_dir: oneOfOr(['asc', 'desc'], 'desc', 'Direction of the sort.'),
    limit: limit(50),
    offset,
  },
  answer: z.object({
    sources: z.array(SourceRowAnswer).describe('The page; empty when nothing matches.'),
    ...paging,
    has_any: hasAny,
  }),
  errors: { 400: '`domain` is not a valid domain name.' },
  example: {
    sources: [
      {
        source_ip: '203.0.113.5',
        total_messages: 160,
        pass_count: 125,
        fail_count: 35,
        spf_fail_count: 40,
        dkim_fail_count: 35,
        compliance_rate: 78.13,
        first_seen: '2026-02-01T00:00:00Z',
        last_seen: '2026-03-01T23:59:59Z',
        domains: 'example.com,example.org',
        blocklist_severity: 'unchecked',
        classification: 'needs_review',
      },
    ],
    total: 1,
    limit: 50,
    offset: 0,
    has_any: true,
  },
  handle: findSourcePage,
});

interface SourceQuestion {
  domain?: string | undefined;
  search?: string | undefined;
  reputation?: (typeof statuses)[number] | undefined;
  has_failures?: boolean | undefined;
  /** Pages filter by it; v1 does not. */
  class?: (typeof sourceClasses)[number] | undefined;
  /** The same; the key of a sender in the inventory. */
  sender?: string | undefined;
  sort_by: (typeof sorts)[number];
  sort_dir: 'asc' | 'desc';
  limit: number;
  offset: number;
}

/** One page of the sources that match, and how many do. */
export async function findSourcePage(
  { db, caller: { orgId } }: Pick<RequestNeeds, 'db' | 'caller'>,
  {
    domain,
    search: words,
    reputation,
    has_failures,
    class: ofClass,
    sender,
    sort_by,
    sort_dir,
    ...page
  }: SourceQuestion,
) {
  const slice = { ...page, sortBy: sort_by, direction: sort_dir };
  const filter = {
    domain,
    search: words,
    services: words === undefined ? [] : servicesNamed(words),
    reputation,
    hasFailures: has_failures,
    class: ofClass,
    sender,
  };
  const [{ rows, total }, held] = await Promise.all([findSources(db, orgId, filter, slice), findOrgTotal(db, orgId)]);
  const knowledge = await findSourceKnowledge(
    db,
    orgId,
    rows.map(({ address }) => address),
  );
  const sources = rows.map((row) => toSourceRow(row, knowledge.get(row.address)));
  const has_any = total > 0 || held.reports > 0; // the first report may come between the two
  return { sources, total, ...page, has_any };
}

function toSourceRow(row: SourceListRow, known: SourceKnowledge | undefined) {
  return {
    ...toSourceFigures(row),
    domains: row.domains,
    ...toRowKnowledge(known, row.messages - row.compliant),
    classification: sourceClassOf(row),
  };
}
