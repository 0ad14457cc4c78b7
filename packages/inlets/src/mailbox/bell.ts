/** Wakes a sleeper early: for any of several reasons, and also when it was rung just before he lay down. */
export interface Bell {
  ring(): void;
  /** Until it is rung, or so long; whether it was rung. */
  wait(ms: number): Promise<boolean>;
}

export function makeBell(): Bell {
  let isRung = false;
  let wake: (() => void) | undefined;
  return {
    ring() {
      isRung = true;
      wake?.();
    },
    async wait(ms) {
      if (!isRung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      wake = undefined;
      const wasRung = isRung;
      isRung = false;
      return wasRung;
    },
  };
}
