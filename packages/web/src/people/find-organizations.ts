import { answerOf, dashboardOverview } from '@dmarc-ledger/api/answers';
import type { Membership } from '@dmarc-ledger/ledger/for-web';
import { findOrgDays, findUrgency, type Urgency } from '@dmarc-ledger/queries';
import { isStorageFailure } from '@dmarc-ledger/schema';
import { addDays, HttpProblem, rate } from '@dmarc-ledger/vocabulary';
import { viewerOf, type SignedIn } from '../server/find-viewer.ts';
import { pageNeedsOf } from '../server/page-needs.ts';
import type { WebNeeds } from '../server/web-needs.ts';

/** What an organization is about, for a member who must choose which needs them. */
export interface OrganizationFigures {
  /** Of the days that the page names. */
  messages: number;
  /** Null without mail. */
  compliance: number | null;
  domains: number;
  domainsNeedingAttention: number;
  items: { high: number; medium: number; low: number };
}

/** An organization of a member. Without figures: their role does not see them, or they cannot be read now. */
export interface OrganizationRow {
  membership: Membership;
  figures: OrganizationFigures | undefined;
}

export const FIGURE_DAYS = 30;
/** The most organizations with figures, and how many are read at a time: others use the same connections. */
const MOST = 100;
const AT_A_TIME = 2;

/** Comes after every score. */
const WITHOUT_SCORE = 101;

type ViewerIn = (membership: Membership) => ReturnType<typeof viewerOf>;

/**
 * Every organization of a person with what its overview says, those that need attention first. Of very many, the ones
 * that stand worst have figures.
 * @param search a part of the names of those that are wanted, in any case; empty: all
 */
export async function findOrganizations(
  needs: WebNeeds,
  { session, memberships }: SignedIn,
  search: string,
): Promise<OrganizationRow[]> {
  const viewerIn: ViewerIn = (membership) => viewerOf(session, membership, memberships);
  const part = search.toLowerCase();
  const rows: OrganizationRow[] = memberships
    .filter(({ orgName }) => orgName.toLowerCase().includes(part))
    .map((membership) => ({ membership, figures: undefined }));
  const ranked = rows.length > MOST ? await worstFirst(needs, rows, viewerIn) : rows;
  await readAll(ranked.slice(0, MOST), async (row) => {
    row.figures = await figuresOf(needs, viewerIn(row.membership));
  });
  return sorted(ranked);
}

/** By open critical events and by the last score: what is stored, and read in no time. */
async function worstFirst(needs: WebNeeds, rows: readonly OrganizationRow[], viewerIn: ViewerIn) {
  const urgencies = new Map<OrganizationRow, Urgency>();
  await readAll(rows, async (row) => {
    const viewer = viewerIn(row.membership);
    if (!viewer.permissions.has('analytics:read')) return;
    urgencies.set(row, await findUrgency(pageNeedsOf(needs, viewer).db, viewer.orgId));
  });
  const critical = (row: OrganizationRow) => urgencies.get(row)?.critical ?? -1;
  const score = (row: OrganizationRow) => urgencies.get(row)?.score ?? WITHOUT_SCORE;
  return rows.toSorted((a, b) => critical(b) - critical(a) || score(a) - score(b));
}

async function readAll<Row>(rows: readonly Row[], read: (row: Row) => Promise<void>): Promise<void> {
  const waiting = rows.values();
  const readNext = async () => {
    for (const row of waiting) await read(row);
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, readNext));
}

async function figuresOf(
  webNeeds: WebNeeds,
  viewer: ReturnType<typeof viewerOf>,
): Promise<OrganizationFigures | undefined> {
  if (!viewer.permissions.has('analytics:read')) return undefined;
  const needs = pageNeedsOf(webNeeds, viewer);
  try {
    const range = { from: addDays(needs.today, 1 - FIGURE_DAYS), to: needs.today };
    const [days, overview] = await Promise.all([
      findOrgDays(needs.db, viewer.orgId, range),
      answerOf(dashboardOverview, needs, {}),
    ]);
    const messages = days.reduce((sum, day) => sum + day.messages, 0);
    const compliant = days.reduce((sum, day) => sum + day.compliant, 0);
    const { org_health: health, action_items_summary: items } = overview;
    return {
      messages,
      compliance: messages === 0 ? null : rate(compliant, messages),
      domains: health.total_domains,
      domainsNeedingAttention: health.domains_needing_attention,
      items,
    };
  } catch (error) {
    if (isStorageFailure(error) || error instanceof HttpProblem) return undefined;
    throw error;
  }
}

/** Urgent items first, then items that are due soon, domains that need somebody, and the lowest share that passed. */
export function sorted(rows: readonly OrganizationRow[]): OrganizationRow[] {
  const order = ({ figures }: OrganizationRow): number[] => [
    figures?.items.high ?? -1,
    figures?.items.medium ?? -1,
    figures?.domainsNeedingAttention ?? -1,
    -(figures?.compliance ?? 100),
    figures?.messages ?? -1,
  ];
  return rows.toSorted((a, b) => {
    const [first, second] = [order(a), order(b)];
    const at = first.findIndex((value, i) => value !== second[i]);
    if (at >= 0) return (second[at] ?? 0) - (first[at] ?? 0);
    return a.membership.orgName < b.membership.orgName ? -1 : 1;
  });
}
