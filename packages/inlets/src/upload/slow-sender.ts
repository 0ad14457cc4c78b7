import type { IncomingMessage } from 'node:http';

/** The least speed of an upload's sender: this long for any body, and this many bytes in each further second. */
export interface Pace {
  graceMs: number;
  bytesPerSecond: number;
}

const CHECKED_EVERY_MS = 1_000;

/**
 * Ends the connection of an upload whose sender is too slow: it would hold a file and a slot for days. Only time spent
 * waiting for bytes counts, not the time of processing them.
 */
export function endSlowUpload(request: IncomingMessage, { graceMs, bytesPerSecond }: Pace): Disposable {
  const { socket } = request;
  const before = socket.bytesRead;
  const every = Math.min(CHECKED_EVERY_MS, graceMs);
  let waitedMs = 0;
  const timer = setInterval(() => {
    if (request.complete || request.readableLength > 0 || socket.readableLength > 0) return;
    waitedMs += every;
    const allowedMs = graceMs + ((socket.bytesRead - before) / bytesPerSecond) * 1_000;
    if (waitedMs > allowedMs) request.destroy();
  }, every);
  timer.unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
