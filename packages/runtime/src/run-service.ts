import { CodedError } from '@dmarc-ledger/vocabulary';
import { openLogger, type Logger } from './logger.ts';
import { onLostParent } from './parent-watch.ts';
import { Resources, type Use } from './shutdown.ts';
import { onStopSignals } from './stop-signals.ts';

const DRAIN_MS = 20_000;
const LATE_MS = 4_000;
const HARD_END_MS = 25_000;

export interface Service {
  log: Logger;
  /** Aborted when the service is asked to end. */
  signal: AbortSignal;
  /** Ends the service as SIGTERM would. */
  stop: () => void;
}

export interface ServiceOptions {
  log?: Logger;
  /** Stop when the parent process is gone, as for SIGTERM. */
  withParent?: boolean;
}

/**
 * Runs a process: `body` opens what it needs through `use`, and the process lives until a signal. Then everything is
 * closed within 20 seconds; another signal, a second later or more, ends it at once. A start that fails with a
 * CodedError logs its sentence.
 */
export async function runService(
  name: string,
  body: (use: Use, service: Service) => Promise<void>,
  { log = openLogger({ name, level: 'info' }), withParent = false }: ServiceOptions = {},
): Promise<void> {
  const resources = new Resources(log);
  const stopping = new AbortController();
  const end = (code: number) => closeAndExit(resources, log, code);
  const stop = () => {
    if (stopping.signal.aborted) return;
    log.info({ event: 'service.stop' }, 'stopping');
    stopping.abort();
    void end(0);
  };
  onStopSignals(stop);
  if (withParent) onLostParent(stop);
  onLostErrors(log);
  try {
    await body((resource, close) => resources.use(resource, close), { log, signal: stopping.signal, stop });
    if (!stopping.signal.aborted) log.info({ event: 'service.start', pid: process.pid }, 'started');
  } catch (error) {
    if (stopping.signal.aborted) return; // it was closed during its own start
    logFailedStart(name, error, log);
    await end(1);
  }
}

/** An uncaught error leaves the process in an unknown state: it is logged, and the process ends. */
function onLostErrors(log: Logger): void {
  const die = (error: unknown) => {
    log.fatal({ event: 'service.crash', error }, 'an error was not caught');
    process.exit(1);
  };
  process.on('uncaughtException', die);
  process.on('unhandledRejection', die);
}

async function closeAndExit(resources: Resources, log: Logger, code: number): Promise<void> {
  setTimeout(() => process.exit(1), HARD_END_MS).unref();
  const isClosed = await resources.closeAll(DRAIN_MS, LATE_MS);
  if (!isClosed) log.error({ event: 'service.stop_late' }, 'not everything could be closed in 20 seconds');
  process.exit(isClosed ? code : 1);
}

function logFailedStart(name: string, error: unknown, log: Logger): void {
  if (error instanceof CodedError) process.stderr.write(`${name}: ${error.message}\n`);
  else log.fatal({ event: 'service.start_failed', error }, 'the service could not start');
}
