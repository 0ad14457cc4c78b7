import { answerOf, dashboardOverview, orgCoverage } from '@dmarc-ledger/api/answers';
import { findItemDomains } from '@dmarc-ledger/facts';
import {
  countDeliveriesByCode,
  findEvents,
  findForgedMail,
  findMailboxes,
  findNewestDays,
  findOrgDays,
  findRecordChanges,
  findPublishedPolicies,
} from '@dmarc-ledger/queries';
import { type ItemDomain, itemsWithoutScore } from '@dmarc-ledger/scoring';
import { holdsSamples } from '@dmarc-ledger/ledger/for-web';
import { actionItemSeverities, addDays, codesOf, protocols } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { dayBars } from '../../charts/day-bars.ts';
import type { PageNeeds } from '../../page/define-page.ts';
import { definePage } from '../../page/define-page.ts';
import { filterShape } from '../../page/filter.ts';
import { isAllowed } from '../../page/viewer.ts';
import { eventOf } from '../events/event-of.ts';
import { withPublished } from '../../texts/policy.ts';
import { Overview } from './overview.tsx';
import type { SilentDomain } from './silent-domains.tsx';

const EVENTS = 6;
const CHANGES = 20;
const CHANGE_DAYS = 7;
const ARRIVAL_DAYS = 30;
const DAY_MS = 86_400_000;

/** Is anything wrong, what comes first, and how far do the figures reach? */
export const overviewPage = definePage({
  path: '/',
  permission: 'analytics:read',
  query: z.object({ days: filterShape.days }),
  params: z.object({}),
  async load(needs, { days }) {
    const { db, viewer, today, now } = needs;
    const { orgId } = viewer;
    const since = new Date(now.getTime() - CHANGE_DAYS * DAY_MS);
    const range = { from: addDays(today, 1 - days), to: today };
    const [overview, coverage, newestDays, published, watched, hasSamples, sums, forged, events, changes, arrivals] =
      await Promise.all([
        answerOf(dashboardOverview, needs, {}),
        orgCoverage(needs),
        findNewestDays(db, orgId, today),
        findPublishedPolicies(db, orgId, { now }),
        findItemDomains(db, orgId),
        viewer.role === 'owner' && holdsSamples(db, orgId),
        findOrgDays(db, orgId, range),
        findForgedMail(db, orgId, range),
        isAllowed(viewer, 'alert:read') ? findEvents(db, orgId, {}, { limit: EVENTS, offset: 0 }) : undefined,
        isAllowed(viewer, 'domain:read')
          ? findRecordChanges(db, orgId, { since, subjects: protocols, limit: CHANGES })
          : undefined,
        isAllowed(viewer, 'see intake') ? findArrivals(needs) : undefined,
      ]);
    const changed = changes && { changes, days: CHANGE_DAYS };
    const props = {
      overview,
      cards: withPublished(overview.domain_cards, published),
      newestDays,
      silent: silentDomains(watched, overview.domain_cards),
      hasSamples,
      bars: dayBars(sums, today, days),
      days,
      forged,
      changed,
      coverage,
      arrivals,
      today,
    };
    return { title: 'Overview', body: <Overview {...props} events={events?.rows.map(eventOf)} /> };
  },
});

const URGENCY: readonly string[] = codesOf(actionItemSeverities);

/** The domains without a score that have open items, those with the most urgent ones first. */
function silentDomains(watched: readonly ItemDomain[], cards: readonly { domain: string }[]): SilentDomain[] {
  const withScore = new Set(cards.map(({ domain }) => domain));
  return watched
    .filter(({ domain }) => !withScore.has(domain))
    .map((each) => ({ domain: each.domain, items: itemsWithoutScore(each) }))
    .filter(({ items }) => items.length > 0)
    .toSorted((a, b) => urgencyOf(a) - urgencyOf(b) || (a.domain < b.domain ? -1 : 1));
}

function urgencyOf({ items: [first] }: SilentDomain): number {
  return URGENCY.indexOf(first?.severity ?? 'low');
}

async function findArrivals({ db, viewer: { orgId }, today }: PageNeeds) {
  const [counts, mailboxes] = await Promise.all([
    countDeliveriesByCode(db, orgId, addDays(today, -ARRIVAL_DAYS)),
    findMailboxes(db, orgId),
  ]);
  return { counts, mailboxes, days: ARRIVAL_DAYS };
}
