import type { EventSeverity } from '@dmarc-ledger/vocabulary';
import type { Holding, Judgement } from './judgement.ts';

/** What is stored about a condition that was raised before. */
export interface KnownCondition {
  key: string;
  severity: EventSeverity;
  holds: boolean;
  falseSince: Date | null;
  endsAt: Date | null;
  occurrence: string;
  eventId: string;
}

export type Decision = 'raise' | 'reopen' | 'worsen' | 'none';

const DAY_MS = 86_400_000;
const RANK: { readonly [severity in EventSeverity]: number } = { info: 0, warning: 1, critical: 2 };

/**
 * Returns one judgement for each condition: of several, one that holds before one that is over, and the gravest of
 * those that hold. The addresses of one sender, for example, share a condition. (rules, events/conditions-and-events)
 */
export function gravest(judgements: readonly Judgement[]): Judgement[] {
  const byKey = new Map<string, Judgement>();
  for (const judgement of judgements) {
    const other = byKey.get(judgement.key);
    if (!other || gravityOf(judgement) > gravityOf(other)) byKey.set(judgement.key, judgement);
  }
  return [...byKey.values()];
}

function gravityOf(judgement: Judgement): number {
  return judgement.state === 'holds' ? RANK[judgement.severity] : -1;
}

/**
 * Decides what follows from a condition that holds. A condition that worsens updates its open event. (rules,
 * events/conditions-and-events)
 */
export function decide(condition: Holding, known: KnownCondition | undefined, now: Date): Decision {
  if (!known) return 'raise';
  if (mayBeRaised(condition, known, now)) return 'raise';
  if (known.holds) return RANK[condition.severity] > RANK[known.severity] ? 'worsen' : 'none';
  return mayReturn(condition, known, now) ? 'reopen' : 'none';
}

function mayBeRaised({ rearm, occurrence }: Holding, known: KnownCondition, now: Date): boolean {
  if (rearm === 'never') return false;
  if (rearm === 'each') return occurrence > known.occurrence;
  if (rearm !== 'after_a_day') return !rearm.isOnce && known.endsAt !== null && known.endsAt <= now;
  return !known.holds && known.falseSince !== null && now.getTime() - known.falseSince.getTime() >= DAY_MS;
}

/** True if the same event is open again. One that has had its days is over: it would end at once. */
function mayReturn({ rearm }: Holding, { endsAt }: KnownCondition, now: Date): boolean {
  return typeof rearm === 'string' ? rearm === 'after_a_day' : endsAt === null || endsAt > now;
}
