/** Wakes a waiting loop early: for any of several reasons, also when it was woken just before the wait began. */
export interface WakeUp {
  wake(): void;
  /** Waits until it is woken, or the time is over. Returns whether it was woken. */
  wait(ms: number): Promise<boolean>;
}

export function makeWakeUp(): WakeUp {
  let isWoken = false;
  let resume: (() => void) | undefined;
  return {
    wake() {
      isWoken = true;
      resume?.();
    },
    async wait(ms) {
      if (!isWoken) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          resume = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      resume = undefined;
      const wasWoken = isWoken;
      isWoken = false;
      return wasWoken;
    },
  };
}
