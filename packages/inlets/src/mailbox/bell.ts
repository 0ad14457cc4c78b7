/** Wakes a sleeper early: for any of several reasons, and also when it was rung just before he lay down. */
export interface Bell {
  ring(): void;
  /** Until it is rung, or so long. */
  wait(ms: number): Promise<void>;
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
      isRung = false;
    },
  };
}
