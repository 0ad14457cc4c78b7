import type { EndedDelivery, IntakeObserver } from '@dmarc-ledger/pipeline';
import type { Logger } from '@dmarc-ledger/runtime';

/** How loudly the end of a delivery is told: what needs nobody's attention is one line in many. */
const LEVELS = {
  stored: 'debug',
  duplicate: 'debug',
  assigned: 'debug',
  refused: 'info',
  quarantined: 'warn',
} as const;

/** Logs how each delivery ended, and hands on what the observer of figures is told. */
export function watchIntake(log: Logger, figures?: IntakeObserver): IntakeObserver {
  return {
    received: (source, arrival) => figures?.received(source, arrival),
    finished(ended) {
      tell(log, ended);
      figures?.finished(ended);
    },
  };
}

function tell(log: Logger, { orgId, id, source, state, code, parts }: EndedDelivery): void {
  const reports = parts.flatMap((part) => part.reports.map((report) => report.id));
  log[LEVELS[state]]({ event: `message.${state}`, orgId, id, source, code, reports }, `a delivery was ${state}`);
}
