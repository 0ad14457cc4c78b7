import { defineRoute } from '../define-route.ts';
import { orgOverview } from '../org-overview.ts';
import { overviewExample } from './overview-example.ts';
import { OverviewAnswer } from '../bodies/overview-schema.ts';

export const dashboardOverview = defineRoute({
  path: '/dashboard/overview',
  operationId: 'getDashboardOverview',
  permission: 'analytics:read',
  tag: 'Analytics',
  summary: 'The whole organization at a glance: its score, a card for each domain, and what is to be done.',
  description: 'Figures may be up to a few minutes old. Of each domain the 30 days up to its newest report day count.',
  heavy: true,
  answer: OverviewAnswer,
  example: overviewExample,
  errors: { 503: 'Too many expensive requests of the organization are under way, or storage cannot be read for now.' },
  async handle(needs) {
    return (await orgOverview(needs)).body;
  },
});
