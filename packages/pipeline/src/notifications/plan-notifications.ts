import { type NotificationPlan, planNotifications } from '@dmarc-ledger/ledger';
import { planAgain, type Planning } from '../plan-again.ts';

const PLAN: NotificationPlan = { eventsAtOnce: 500, inHandOfTarget: 2, lostAfterSeconds: 120 };

/**
 * Plans the notifications of new events for their targets, and hands those that are due to the queue, until the signal
 * ends it. Any number may run.
 */
export async function runNotificationPlan(
  { plan = PLAN, ...needs }: Planning & { plan?: NotificationPlan | undefined },
  signal: AbortSignal,
): Promise<void> {
  await planAgain('Notifications of events', needs, signal, () => planNotifications(needs.database, plan));
}
