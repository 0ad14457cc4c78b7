/** Lets work that holds so many bytes begin when there is room for it; the largest alone, but always some day. */
export interface ByteBudget {
  within<T>(bytes: number, work: () => Promise<T>): Promise<T>;
}

interface Turn {
  bytes: number;
  begin: () => void;
  /** Held by those that came later and have begun before it. */
  passedBy: number;
  /** The one that it has passed. */
  passed?: Turn;
}

/**
 * Whoever fits may pass the first in line, as long as all that have passed it leave room for it: so it waits for nobody
 * but those that were there before, and one that stays long stops none but those that need its room.
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
