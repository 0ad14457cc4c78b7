/** Wakes a sleeper early: for any of several reasons, and also when it was rung just before he lay down. */
export interface WakeUp {
  wake(): void;
  /** Until it is rung, or so long; whether it was rung. */
  wait(ms: number): Promise<boolean>;
}

export function makeWakeUp(): WakeUp {
  let isRung = false;
  let resume: (() => void) | undefined;
  return {
    wake() {
      isRung = true;
      resume?.();
    },
    async wait(ms) {
      if (!isRung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          resume = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      resume = undefined;
      const wasRung = isRung;
      isRung = false;
      return wasRung;
    },
  };
}
