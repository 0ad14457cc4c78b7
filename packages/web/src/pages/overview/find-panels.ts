import { findClassedDays, findEvents, findForgedMail, findRecordChanges } from '@dmarc-ledger/queries';
import { addDays, protocols } from '@dmarc-ledger/vocabulary';
import { dayBars } from '../../charts/day-bars.ts';
import type { PageNeeds } from '../../page/define-page.ts';
import { isAllowed } from '../../page/viewer.ts';
import { eventOf } from '../events/event-of.ts';

const EVENTS = 6;
const CHANGES = 20;
const CHANGE_DAYS = 7;
const DAY_MS = 86_400_000;

export type FoundPanels = Awaited<ReturnType<typeof findPanels>>;

/** A domain of the filter; its id is undefined where the organization neither monitors it nor has reports about it. */
interface Chosen {
  domain: string;
  id: string | undefined;
}

/** Finds what happened, of one domain or of all. What the viewer's role may not see is undefined. */
export async function findPanels(needs: PageNeeds, days: number, chosen: Chosen | undefined) {
  const { db, viewer, today } = needs;
  const { domain } = chosen ?? {};
  const [mail, changes, events] = await Promise.all([
    chosen && chosen.id === undefined ? { sums: [], forged: [] } : findMail(needs, days, chosen?.id),
    isAllowed(viewer, 'domain:read') ? findChanges(needs, chosen) : undefined,
    isAllowed(viewer, 'alert:read')
      ? findEvents(db, viewer.orgId, { domain }, { limit: EVENTS, offset: 0 })
      : undefined,
  ]);
  return {
    bars: dayBars(mail.sums, today, days),
    forged: mail.forged,
    changed: changes && { changes, days: CHANGE_DAYS },
    events: events?.rows.map(eventOf),
  };
}

async function findMail({ db, viewer: { orgId }, today }: PageNeeds, days: number, domainId: string | undefined) {
  const range = { from: addDays(today, 1 - days), to: today };
  const [sums, forged] = await Promise.all([
    findClassedDays(db, orgId, range, domainId),
    findForgedMail(db, orgId, range, domainId),
  ]);
  return { sums, forged };
}

async function findChanges({ db, viewer: { orgId }, now }: PageNeeds, chosen: Chosen | undefined) {
  if (chosen && chosen.id === undefined) return [];
  const since = new Date(now.getTime() - CHANGE_DAYS * DAY_MS);
  const question = { since, subjects: protocols, domainId: chosen?.id };
  return await findRecordChanges(db, orgId, question, { limit: CHANGES });
}
