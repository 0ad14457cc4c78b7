import { answerOf, dashboardOverview, listDomains, orgCoverage } from '@dmarc-ledger/api/answers';
import { findUnpublished } from '@dmarc-ledger/queries';
import { z } from 'zod';
import { definePage } from '../../page/define-page.ts';
import { withPublished } from '../../texts/policy.ts';
import { Domains } from './domains.tsx';
import { csvFile, inMemory } from '../../page/csv-file.ts';
import { domainColumns } from './domains-csv.ts';
import { domainsQuery } from './domains-query.ts';
import { domainRows, sortRows } from './domain-rows.ts';

/** More than anybody monitors: the page shows all at once. */
const ALL = 2_000;
/** Which of my domains needs me, and which may tighten? */
export const domainsPage = definePage({
  path: '/domains',
  permission: 'domain:read',
  query: domainsQuery,
  params: z.object({}),
  async load(needs, input) {
    const { db, viewer, now } = needs;
    const [list, overview, unpublished, coverage] = await Promise.all([
      answerOf(listDomains, needs, { limit: ALL, offset: 0 }),
      answerOf(dashboardOverview, needs, {}),
      findUnpublished(db, viewer.orgId, { now }),
      orgCoverage(needs),
    ]);
    const cards = withPublished(overview.domain_cards, unpublished);
    const rows = domainRows(list.domains, cards, coverage.confidences);
    const shown = rows.filter(
      ({ domain, card, monitored }) =>
        (input.search === undefined || domain.includes(input.search.toLowerCase())) &&
        (input.policy === undefined || (card?.policy === input.policy && !card.isUnpublished)) &&
        (input.state === undefined || monitored?.dmarc_state === input.state),
    );
    const sorted = sortRows(shown, input);
    if (input.format === 'csv') return await csvFile('domains.csv', domainColumns, inMemory(sorted));
    return { title: 'Domains', body: <Domains rows={sorted} total={rows.length} query={input} /> };
  },
});
