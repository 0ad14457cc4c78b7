/** Lets work that holds so many bytes begin when there is room for it; the largest alone, but always some day. */
export interface ByteBudget {
  within<T>(bytes: number, work: () => Promise<T>): Promise<T>;
}

export function byteBudget(limit: number): ByteBudget {
  let held = 0;
  const waiting: { bytes: number; begin: () => void }[] = [];
  const next = () => {
    const first = waiting[0];
    if (!first || (held > 0 && held + first.bytes > limit)) return;
    waiting.shift();
    held += first.bytes;
    first.begin();
    next();
  };
  return {
    async within(bytes, work) {
      await new Promise<void>((begin) => {
        waiting.push({ bytes, begin });
        next();
      });
      try {
        return await work();
      } finally {
        held -= bytes;
        next();
      }
    },
  };
}
