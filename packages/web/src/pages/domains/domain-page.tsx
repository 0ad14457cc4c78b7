import { answerOf, findDomainHealth, getCoverage, listSources } from '@dmarc-ledger/api/answers';
import { findScoreFacts } from '@dmarc-ledger/facts';
import {
  findAddressDecisions,
  findClassedDays,
  findDomainId,
  findEvents,
  findForgedMail,
  findKnownDomain,
  findOpenFacts,
  findPublishedPolicies,
  findRecordChanges,
} from '@dmarc-ledger/queries';
import type { Db } from '@dmarc-ledger/schema';
import { scoreDomains } from '@dmarc-ledger/scoring';
import { addDays, type Day, type DayRange, HttpProblem, protocols } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { dayBars } from '../../charts/day-bars.ts';
import { definePage, type Loaded, type PageNeeds } from '../../page/define-page.ts';
import { domainParams } from '../../page/domain-param.ts';
import { filterShape } from '../../page/filter.ts';
import { eventOf } from '../events/event-of.ts';
import { Domain } from './domain.tsx';
import { Unmonitored } from './unmonitored.tsx';

const SENDERS = 8;
const EVENTS = 8;
const CHANGES = 10;
const CHANGE_DAYS = 90;
/** The days that the rate on the page is made of. */
const COVERAGE_DAYS = 30;
const DAY_MS = 86_400_000;

/** Is the domain protected, what is to be done, and what changed? */
export const domainPage = definePage({
  path: '/domains/:domain',
  permission: 'domain:read',
  query: z.object({ days: filterShape.days }),
  params: domainParams,
  async load(needs, asked) {
    try {
      return await loadMonitored(needs, asked);
    } catch (error) {
      const isMissing = error instanceof HttpProblem && error.status === 404;
      if (!isMissing || !(await findKnownDomain(needs.db, needs.viewer.orgId, asked.domain))) throw error;
      return { title: asked.domain, body: <Unmonitored domain={asked.domain} /> };
    }
  },
});

async function loadMonitored(needs: PageNeeds, { domain, days }: { domain: string; days: number }): Promise<Loaded> {
  const { db, viewer, today, now } = needs;
  const maySeeEvents = viewer.permissions.has('alert:read');
  const range = { from: addDays(today, 1 - days), to: today };
  const [{ answer: health, further }, openFacts, known, senders, coverage, events] = await Promise.all([
    findDomainHealth(needs, domain),
    maySeeEvents ? findOpenFacts(db, viewer.orgId, domain) : [],
    findKnown(db, viewer.orgId, { domain, range, now, today }),
    answerOf(listSources, needs, { domain, limit: SENDERS, offset: 0, sort_by: 'total_messages', sort_dir: 'desc' }),
    answerOf(getCoverage, needs, { domain, days: COVERAGE_DAYS }),
    maySeeEvents ? findEvents(db, viewer.orgId, { domain }, { limit: EVENTS, offset: 0 }) : undefined,
  ]);
  const { sums, forged, changes, facts, published } = known;
  const changed = { changes, days: CHANGE_DAYS };
  const score = facts && scoreDomains([facts])[0]?.score;
  const bars = dayBars(sums, today, days);
  const addresses = senders.sources.map(({ source_ip }) => source_ip);
  const decisions = await findAddressDecisions(db, viewer.orgId, addresses, domain);
  const shown = { senders: senders.sources, decisions, forged, changed, facts, coverage, published };
  const open = { further, facts: openFacts };
  const props = { health, open, score, bars, days, today, ...shown };
  return { title: domain, body: <Domain {...props} events={events?.rows.map(eventOf)} /> };
}

interface Asked {
  domain: string;
  range: DayRange;
  now: Date;
  today: Day;
}

async function findKnown(db: Db, orgId: string, { domain, range, now, today }: Asked) {
  const domainId = await findDomainId(db, orgId, domain);
  if (domainId === undefined) return { sums: [], forged: [], changes: [], facts: undefined, published: undefined };
  const since = new Date(now.getTime() - CHANGE_DAYS * DAY_MS);
  const [sums, forged, changes, [facts], policies] = await Promise.all([
    findClassedDays(db, orgId, range, domainId),
    findForgedMail(db, orgId, range, domainId),
    findRecordChanges(db, orgId, { since, subjects: protocols, domainId }, { limit: CHANGES }),
    findScoreFacts(db, orgId, today, domainId),
    findPublishedPolicies(db, orgId, { now, domainId }),
  ]);
  return { sums, forged, changes, facts, published: policies.get(domain) };
}
