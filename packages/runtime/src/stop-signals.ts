const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
const EXIT_CODES = { SIGTERM: 143, SIGINT: 130, SIGHUP: 129 };
const AGAIN_AFTER_MS = 1_000;

/**
 * Calls `stop` on the first SIGTERM, SIGINT or SIGHUP. Another signal ends the process at once, with 128 and its
 * number, but only a second or more after the first: a signal to the process group (systemd, `timeout`, a CI runner)
 * arrives several times, from its sender and from each process in between that passes it on, and the platform does not
 * name the sender.
 */
export function onStopSignals(stop: () => void): void {
  let firstAt: number | undefined;
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      const now = performance.now();
      if (firstAt !== undefined && now - firstAt >= AGAIN_AFTER_MS) process.exit(EXIT_CODES[signal]);
      if (firstAt !== undefined) return;
      firstAt = now;
      stop();
    });
  }
}
