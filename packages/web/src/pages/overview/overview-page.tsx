import { orgCoverage, orgOverview } from '@dmarc-ledger/api/answers';
import { findItemDomains } from '@dmarc-ledger/facts';
import { holdsSamples } from '@dmarc-ledger/ledger/for-web';
import {
  countDeliveriesByCode,
  findKnownDomain,
  findMailboxes,
  findNewestDays,
  findPublishedPolicies,
} from '@dmarc-ledger/queries';
import { type ItemDomain, itemsWithoutScore, urgencyOf } from '@dmarc-ledger/scoring';
import { addDays } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import type { PageNeeds } from '../../page/define-page.ts';
import { definePage } from '../../page/define-page.ts';
import { filterShape } from '../../page/filter.ts';
import { isAllowed } from '../../page/viewer.ts';
import { withPublished } from '../../texts/policy.ts';
import { findPanels } from './find-panels.ts';
import { Overview } from './overview.tsx';
import type { SilentDomain } from './silent-domains.tsx';

const ARRIVAL_DAYS = 30;

/** Is anything wrong, what comes first, and how far do the figures reach? */
export const overviewPage = definePage({
  path: '/',
  permission: 'analytics:read',
  query: z.object({ domain: filterShape.domain, days: filterShape.days }),
  params: z.object({}),
  async load(needs, { domain, days }) {
    const { db, viewer, today, now } = needs;
    const { orgId } = viewer;
    const chosen = domain === undefined ? undefined : { domain, id: await findKnownDomain(db, orgId, domain) };
    const [{ body: overview, score, items }, coverage, newestDays, published, watched, hasSamples, panels, arrivals] =
      await Promise.all([
        orgOverview(needs),
        orgCoverage(needs),
        findNewestDays(db, orgId, today),
        findPublishedPolicies(db, orgId, { now }),
        findItemDomains(db, orgId),
        viewer.role === 'owner' && holdsSamples(db, orgId),
        findPanels(needs, days, chosen),
        !chosen && isAllowed(viewer, 'see intake') ? findArrivals(needs) : undefined,
      ]);
    const props = {
      overview,
      score,
      items,
      cards: withPublished(overview.domain_cards, published),
      newestDays,
      silent: silentDomains(watched, overview.domain_cards),
      chosen: chosen && { domain: chosen.domain, isKnown: chosen.id !== undefined },
      hasSamples,
      days,
      panels,
      coverage,
      arrivals,
      today,
    };
    return { title: 'Overview', body: <Overview {...props} /> };
  },
});

/** The domains without a score that have open items, those with the most urgent ones first. */
function silentDomains(watched: readonly ItemDomain[], cards: readonly { domain: string }[]): SilentDomain[] {
  const withScore = new Set(cards.map(({ domain }) => domain));
  return watched
    .filter(({ domain }) => !withScore.has(domain))
    .map((each) => ({ domain: each.domain, items: itemsWithoutScore(each) }))
    .filter(({ items }) => items.length > 0)
    .toSorted((a, b) => firstOf(a) - firstOf(b) || (a.domain < b.domain ? -1 : 1));
}

function firstOf({ items: [first] }: SilentDomain): number {
  return urgencyOf(first?.severity ?? 'low');
}

async function findArrivals({ db, viewer: { orgId }, today }: PageNeeds) {
  const from = addDays(today, 1 - ARRIVAL_DAYS);
  const [counts, mailboxes] = await Promise.all([countDeliveriesByCode(db, orgId, from), findMailboxes(db, orgId)]);
  return { counts, mailboxes, days: ARRIVAL_DAYS, from };
}
