import type { EndedDelivery, IntakeObserver } from '@dmarc-ledger/pipeline';
import type { Logger, Tracing } from '@dmarc-ledger/runtime';

/** The log level of a delivery's end, by its state. */
const LEVELS = {
  stored: 'debug',
  duplicate: 'debug',
  assigned: 'debug',
  refused: 'info',
  quarantined: 'warn',
} as const;

/** Logs how each delivery ended, records it as a span, and passes it on to the observer of metrics. */
export function watchIntake(log: Logger, figures?: IntakeObserver, tracing?: Tracing): IntakeObserver {
  return {
    received: (source, arrival) => figures?.received(source, arrival),
    finished(ended) {
      logEnding(log, ended);
      if (tracing) trace(tracing, ended);
      figures?.finished(ended);
    },
  };
}

function logEnding(log: Logger, { orgId, id, source, state, code, parts }: EndedDelivery): void {
  const reports = parts.flatMap((part) => part.reports.map((report) => report.id));
  log[LEVELS[state]]({ event: `message.${state}`, orgId, id, source, code, reports }, `a delivery was ${state}`);
}

function trace(tracing: Tracing, { orgId, id, source, state, code, openedAt }: EndedDelivery): void {
  if (openedAt === undefined) return;
  tracing.record({
    name: 'take in',
    beganAt: openedAt,
    isFailed: state === 'refused',
    attributes: {
      'dmarc_ledger.org.id': orgId,
      'dmarc_ledger.delivery.id': id,
      'dmarc_ledger.delivery.source': source,
      'dmarc_ledger.delivery.state': state,
      'dmarc_ledger.delivery.code': code ?? undefined,
    },
  });
}
