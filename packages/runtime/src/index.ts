export { startAdmin, type Admin, type AdminOptions } from './admin.ts';
export {
  adminEnv,
  apiEnv,
  appEnv,
  blobEnv,
  dataEnv,
  notificationEnv,
  failPointEnv,
  cacheEnv,
  identityEnv,
  ingestUrlEnv,
  limitEnv,
  logEnv,
  lookupEnv,
  port,
  mailboxEnv,
  retentionEnv,
  secretEnv,
  tracingEnv,
  uploadEnv,
  wholeNumber,
} from './env.ts';
export { RuntimeError } from './errors.ts';
export { type EventLoopLag } from './event-loop-lag.ts';
export { useFailPoints, type FailPointOptions } from './fail-points.ts';
export { keptFor } from './kept-for.ts';
export { listening } from './listening.ts';
export { openLogger, type Logger, type LoggerOptions } from './logger.ts';
export { openMetrics, type LabelledValue, type Metrics } from './metrics.ts';
export { isStartedByNpm } from './parent-watch.ts';
export { readEnv, type Env } from './read-env.ts';
export { openTracing, type DoneWork, type Tracing, type TracingOptions } from './tracing.ts';
export type { RunningService } from './running-service.ts';
export { runService, type Service, type ServiceOptions } from './run-service.ts';
export { closedTogether, type Use } from './shutdown.ts';
export { onStopSignals } from './stop-signals.ts';
