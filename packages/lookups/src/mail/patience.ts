import { setTimeout as sleep } from 'node:timers/promises';
import type { MailFact } from './mail-fact.ts';

/** Keeps what is being sent from being sent again for so many milliseconds. False: that is no longer possible. */
export type Hold = (ms: number) => Promise<boolean>;

export interface PatienceTimes {
  /** For all steps together. */
  totalMs: number;
  /** Beyond that, for the answer to a whole mail. */
  answerMs: number;
}

/** How a mail is handed over, and when that ends. */
export interface Handing {
  signal: AbortSignal;
  /** Called when the whole mail is sent, and only the answer is missing. */
  onWhole: () => void;
}

/** Mails that wait longer for an answer at a time: each takes the place of others to be sent. */
const MOST_WAITING = 4;

/**
 * Gives up on a server that is slow at every step, and closes the connection: it takes no mail later whose end it has
 * not got. One that has got all of it has more time, as it may have taken it (RFC 5321, 4.5.3.2.6), if the mail can be
 * held for so long.
 */
export class Patience {
  readonly #times: PatienceTimes;
  #waiting = 0;

  constructor(times: PatienceTimes) {
    this.#times = times;
  }

  async run(hand: (handing: Handing) => Promise<MailFact>, hold?: Hold): Promise<MailFact> {
    const [patience, ending] = [new AbortController(), new AbortController()];
    let isWhole = false;
    const giveUp = async (): Promise<MailFact> => {
      await sleep(this.#times.totalMs, undefined, { signal: patience.signal });
      if (isWhole && hold) await this.#wait(hold, patience.signal);
      ending.abort();
      return { outcome: 'unreachable', reason: 'timeout' };
    };
    const late = giveUp();
    late.catch(() => {}); // it finished in time
    const handed = hand({ signal: ending.signal, onWhole: () => (isWhole = true) });
    return await Promise.race([handed, late]).finally(() => patience.abort());
  }

  async #wait(hold: Hold, signal: AbortSignal): Promise<void> {
    if (this.#waiting >= MOST_WAITING) return;
    this.#waiting += 1;
    try {
      const isHeld = await hold(this.#times.answerMs).catch(() => false);
      if (isHeld) await sleep(this.#times.answerMs, undefined, { signal });
    } finally {
      this.#waiting -= 1;
    }
  }
}
