import { monitorEventLoopDelay } from 'node:perf_hooks';

const WINDOW_MS = 5_000;

/** The longest time that the event loop was blocked, in seconds, over the last five to ten seconds. */
export interface EventLoopLag {
  seconds(): number;
  close(): void;
}

export function watchEventLoop(): EventLoopLag {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  let before = 0;
  const timer = setInterval(() => {
    before = delay.max;
    delay.reset();
  }, WINDOW_MS).unref();
  return {
    seconds: () => Math.max(before, delay.max) / 1e9,
    close: () => {
      clearInterval(timer);
      delay.disable();
    },
  };
}
