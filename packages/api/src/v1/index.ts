import type { Route } from '../define-route.ts';
import { complianceScore } from './compliance-score.ts';
import { complianceHistory } from './compliance-history.ts';
import { dashboardOverview } from './dashboard-overview.ts';
import { getDomainHealth } from './domain-health.ts';
import { listDomains } from './domains.ts';
import { listEvents } from './events.ts';
import { listEnums } from './enums.ts';
import { getReport } from './report.ts';
import { reportDateRange } from './report-date-range.ts';
import { listReports } from './reports.ts';
import { getSource } from './source.ts';
import { listSources } from './sources.ts';
import { statistics } from './statistics.ts';
import { topSources } from './top-sources.ts';
import { trends } from './trends.ts';
import { getUsage } from './usage.ts';

/** Every endpoint of version 1. */
export const routes: readonly Route[] = [
  listReports,
  reportDateRange,
  getReport,
  dashboardOverview,
  statistics,
  complianceScore,
  complianceHistory,
  trends,
  topSources,
  listDomains,
  getDomainHealth,
  listSources,
  getSource,
  listEvents,
  getUsage,
  listEnums,
];
