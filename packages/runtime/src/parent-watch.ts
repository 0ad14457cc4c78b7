const ASKED_EVERY_MS = 500;
const STARTED_BY = new Set(['start', 'npx']);

/** True in a process that `npm start` or npx started. */
export function isStartedByNpm(environment: { readonly [name: string]: string | undefined }): boolean {
  return STARTED_BY.has(environment['npm_lifecycle_event'] ?? '');
}

/**
 * Calls `stop` once the process has lost its parent. npm and npx hand a signal to a shell, which ends without passing
 * it on; without this the process they started would run on, unseen.
 */
export function onLostParent(stop: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    stop();
  }, ASKED_EVERY_MS);
  timer.unref();
}
