/** Lets work that holds so many bytes begin when they are free; work larger than the budget runs alone, in its turn. */
export interface ByteBudget {
  within<T>(bytes: number, work: () => Promise<T>): Promise<T>;
}

interface Turn {
  bytes: number;
  begin: () => void;
  /** Bytes of entries that came later and have begun before it. */
  passedBy: number;
  /** The entry that it has passed. */
  passed?: Turn;
}

/**
 * An entry that fits may pass the first in the queue, as long as all that have passed it leave enough free for it. So
 * the first waits only for those that were there before it, and a long one stops only entries that need its bytes.
 */
export function byteBudget(limit: number): ByteBudget {
  let held = 0;
  const waiting: Turn[] = [];

  const mayBegin = (turn: Turn, first: Turn) => {
    if (held > 0 && held + turn.bytes > limit) return false;
    return turn === first || first.passedBy + turn.bytes + first.bytes <= limit;
  };

  const admit = () => {
    for (let first = waiting[0]; first; first = waiting[0]) {
      const turn = waiting.find((each) => mayBegin(each, first));
      if (!turn) return;
      waiting.splice(waiting.indexOf(turn), 1);
      held += turn.bytes;
      if (turn !== first) {
        turn.passed = first;
        first.passedBy += turn.bytes;
      }
      turn.begin();
    }
  };

  return {
    async within(bytes, work) {
      const { promise, resolve: begin } = Promise.withResolvers<void>();
      const turn: Turn = { bytes, begin, passedBy: 0 };
      waiting.push(turn);
      admit();
      await promise;
      try {
        return await work();
      } finally {
        held -= bytes;
        if (turn.passed) turn.passed.passedBy -= bytes;
        admit();
      }
    },
  };
}
