import { answerOf, dashboardOverview, listDomains, orgCoverage } from '@dmarc-ledger/api/answers';
import { findItemDomains } from '@dmarc-ledger/facts';
import { findNewestDays, findPublishedPolicies, findRateTrends, isDomainLike } from '@dmarc-ledger/queries';
import { z } from 'zod';
import { definePage } from '../../page/define-page.ts';
import { isApplied, withPublished } from '../../texts/policy.ts';
import { Domains } from './domains.tsx';
import { csvFile, inMemory } from '../../page/csv-file.ts';
import { domainColumns } from './domains-csv.ts';
import { domainsQuery } from './domains-query.ts';
import { domainRows, needsAttention, sortRows } from './domain-rows.ts';

/** The page joins, filters and sorts all domains, so it needs every one. */
const ALL = { limit: Number.MAX_SAFE_INTEGER, offset: 0 };

/** Which of my domains needs me, and which may tighten? */
export const domainsPage = definePage({
  path: '/domains',
  permission: 'domain:read',
  query: domainsQuery,
  params: z.object({}),
  async load(needs, input) {
    const { db, viewer, now, today } = needs;
    const [list, overview, newestDays, trends, published, watched, coverage] = await Promise.all([
      answerOf(listDomains, needs, ALL),
      answerOf(dashboardOverview, needs, {}),
      findNewestDays(db, viewer.orgId, today),
      findRateTrends(db, viewer.orgId, today),
      findPublishedPolicies(db, viewer.orgId, { now }),
      findItemDomains(db, viewer.orgId),
      orgCoverage(needs),
    ]);
    const cards = withPublished(overview.domain_cards, published);
    const { confidences } = coverage;
    const rows = domainRows({ monitored: list.domains, cards, published, watched, confidences });
    const shown = rows.filter(
      (row) =>
        (input.search === undefined || isDomainLike(row.domain, input.search)) &&
        (input.policy === undefined || (row.policy?.policy === input.policy && isApplied(row.policy))) &&
        (input.state === undefined || row.monitored?.dmarc_state === input.state) &&
        (input.needs === undefined || needsAttention(row)),
    );
    const sorted = sortRows(shown, input);
    if (input.format === 'csv') return await csvFile('domains.csv', domainColumns, inMemory(sorted));
    return {
      title: 'Domains',
      body: <Domains rows={sorted} newestDays={newestDays} trends={trends} total={rows.length} query={input} />,
    };
  },
});
