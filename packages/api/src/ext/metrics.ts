import { findNewestReportDay } from '@dmarc-ledger/queries';
import { startOfDay } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { dashboardOverview } from '../v1/dashboard-overview.ts';
import { metricsText } from './metrics-text.ts';

export const getMetrics = defineRoute({
  path: '/metrics',
  operationId: 'getMetrics',
  permission: 'analytics:read',
  tag: 'Feeds',
  summary: 'Scores and rates of the organization and its domains, for Prometheus.',
  description:
    'The figures of `/v1/dashboard/overview` in the text format of Prometheus, version 0.0.4. Of more than 1,000 ' +
    'domains those with the most messages are there, and `dmarc_domains_omitted` counts the others.',
  heavy: true,
  mediaType: 'text/plain; version=0.0.4; charset=utf-8',
  answer: z.string().describe('Text format of Prometheus.'),
  example:
    '# HELP dmarc_domain_score Score of the domain, 0 to 100.\n' +
    '# TYPE dmarc_domain_score gauge\n' +
    'dmarc_domain_score{domain="example.com"} 93\n',
  errors: { 503: 'Too many expensive requests of the organization are under way, or storage cannot be read for now.' },
  async handle(needs) {
    const [overview, newestDay] = await Promise.all([
      dashboardOverview.handle(needs, {}),
      findNewestReportDay(needs.db, needs.caller.orgId, needs.today),
    ]);
    if (!('org_health' in overview)) throw new TypeError('The overview is JSON.');
    return await metricsText(overview, newestDay === undefined ? undefined : startOfDay(newestDay));
  },
});
