import { findSourceKnowledge } from '@dmarc-ledger/facts';
import { findSources } from '@dmarc-ledger/queries';
import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { csvAttachment } from '../http/csv.ts';
import { limit, offset, oneOf } from '../parameters/lenient.ts';
import { domainFilter } from '../parameters/strict.ts';
import { count, paging, text } from '../bodies/fields.ts';
import { toServiceFields } from './source-knowledge.ts';

const columns = ['source_ip', 'count', 'pass', 'fail'] as const;

const TopSource = z
  .object({
    source_ip: text('Sending address, as reported.'),
    count: count('Messages.'),
    pass: count('Messages that passed DMARC.'),
    fail: count('Messages that failed DMARC.'),
    spf_fail: count('Messages whose SPF gave no aligned pass; they may have passed by DKIM.'),
    dkim_fail: count('Messages whose DKIM gave no aligned pass; they may have passed by SPF.'),
    service_name: text('Recognised sending service.').optional(),
    service_icon: text('Icon slug of the service.').optional(),
    service_slug: text('Slug of the service.').optional(),
  })
  .meta({ id: 'TopSource' });

export const topSources = defineRoute({
  path: '/top-sources',
  operationId: 'listTopSources',
  permission: 'analytics:read',
  tag: 'Analytics',
  summary: 'The addresses that send most, highest volume first.',
  query: {
    domain: domainFilter,
    limit: limit(10),
    offset,
    format: oneOf(['csv'], 'The current page as a file instead of the envelope.'),
  },
  answer: z.object({ sources: z.array(TopSource).describe('Highest volume first.'), ...paging }),
  attachments: { 'text/csv': 'With `format=csv`: address, total, pass and fail counts.' },
  errors: { 400: '`domain` is not a valid domain name.' },
  example: {
    sources: [{ source_ip: '203.0.113.5', count: 160, pass: 125, fail: 35, spf_fail: 40, dkim_fail: 35 }],
    total: 31,
    limit: 10,
    offset: 0,
  },
  async handle({ db, caller }, { domain, format, limit: size, offset: skipped }) {
    const busiest = { sortBy: 'total_messages', direction: 'desc', limit: size, offset: skipped } as const;
    const { rows, total } = await findSources(db, caller.orgId, { domain }, busiest);
    const knowledge = await findSourceKnowledge(
      db,
      caller.orgId,
      rows.map(({ address }) => address),
    );
    const sources = rows.map((row) => ({
      source_ip: row.source_text ?? row.source_ip,
      count: row.messages,
      pass: row.compliant,
      fail: row.messages - row.compliant,
      spf_fail: row.messages - row.spf_pass,
      dkim_fail: row.messages - row.dkim_pass,
      ...toServiceFields(knowledge.get(row.address)?.service),
    }));
    if (format === 'csv')
      return csvAttachment(
        'top-sources.csv',
        columns,
        sources.map((row) => columns.map((column) => row[column])),
      );
    return { sources, total, limit: size, offset: skipped };
  },
});
