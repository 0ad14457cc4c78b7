import { findNamedTotal, findOrgTotal } from '@dmarc-ledger/queries';
import { rate } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { domainFilter } from '../parameters/strict.ts';
import { count, percentage } from '../bodies/fields.ts';

export const statistics = defineRoute({
  path: '/statistics',
  operationId: 'getStatistics',
  permission: 'analytics:read',
  tag: 'Analytics',
  summary: 'What is held in all, of the organization or of one domain.',
  query: { domain: domainFilter },
  answer: z.object({
    total_reports: count('Reports held.'),
    total_messages: count('Messages accounted for.'),
    compliant_messages: count('Of those, the ones that passed DMARC.'),
    compliance_rate: percentage('Share of messages that passed DMARC.'),
    unique_source_ips: count('Distinct sending addresses.'),
    unique_domains: count('Distinct domains that reports are about.'),
    has_data: z.boolean().describe('False until the first report arrives.'),
  }),
  errors: { 400: '`domain` is not a valid domain name.' },
  example: {
    total_reports: 412,
    total_messages: 212,
    compliant_messages: 167,
    compliance_rate: 78.77,
    unique_source_ips: 31,
    unique_domains: 2,
    has_data: true,
  },
  async handle({ db, caller: { orgId } }, { domain }) {
    const held = domain === undefined ? await findOrgTotal(db, orgId) : await findNamedTotal(db, orgId, domain);
    return {
      total_reports: held.reports,
      total_messages: held.messages,
      compliant_messages: held.compliant,
      compliance_rate: rate(held.compliant, held.messages),
      unique_source_ips: held.sources,
      unique_domains: held.domains,
      has_data: held.reports > 0,
    };
  },
});
