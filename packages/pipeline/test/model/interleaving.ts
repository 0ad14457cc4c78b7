import type { Database } from '@dmarc-ledger/schema';
import type { Random } from '@dmarc-ledger/testkit/random';

/** Ends an actor at once, as the end of its process would. */
export class Killed extends Error {}

interface Waiting {
  actor: Actor;
  go: () => void;
  end: (error: Killed) => void;
}

/** An actor that works on the ledger through its own database, whose statements wait for their turn. */
export interface Actor {
  database: Database;
  isDead: boolean;
}

/** A statement that takes longer waits for a lock that another actor holds: that one must continue. */
const BLOCKED_MS = 3;
/** An actor that sends no statement for this long is busy elsewhere; the others do not wait for it. */
const THINKING_MS = 2;

/**
 * Lets the statements of several actors reach PostgreSQL one at a time, in an order that a random number decides at
 * every statement; now and then it ends an actor in place of its statement.
 */
export class Interleaving {
  #random: Random | undefined;
  #kills = 0;
  readonly #waiting: Waiting[] = [];
  #inFlight: object | undefined;
  #thinking: NodeJS.Timeout | undefined;
  #statements = 0;

  begin(random: Random, kills: number): void {
    this.#random = random;
    this.#kills = kills;
    this.#statements = 0;
  }

  /** From now on statements run at once. Returns how many have waited for their turn. */
  end(): number {
    this.#random = undefined;
    return this.#statements;
  }

  /** Makes every statement of a database wait for its turn. COPY, which is a stream, runs at once. */
  admit(database: Database): Actor {
    const actor: Actor = { database, isDead: false };
    database.pool.on('connect', (client) => {
      const query = client.query.bind(client) as (...question: unknown[]) => unknown;
      const inTurn = async (...question: unknown[]) => {
        const token = {};
        try {
          await this.#turn(actor, token);
        } catch (error) {
          client.connection.stream.destroy();
          throw error;
        }
        try {
          return await query(...question);
        } finally {
          this.#ended(token);
        }
      };
      Object.assign(client, {
        query: (...question: unknown[]) => (isStream(question[0]) ? query(...question) : inTurn(...question)),
      });
    });
    return actor;
  }

  async #turn(actor: Actor, token: object): Promise<void> {
    if (actor.isDead) throw new Killed();
    if (!this.#random) return;
    await new Promise<void>((resolve, reject) => {
      const go = () => {
        this.#statements += 1;
        this.#inFlight = token;
        setTimeout(() => this.#ended(token), BLOCKED_MS);
        resolve();
      };
      this.#waiting.push({ actor, go, end: reject });
      this.#consider();
    });
  }

  #ended(token: object): void {
    if (this.#inFlight !== token) return;
    this.#inFlight = undefined;
    this.#consider();
  }

  #consider(): void {
    if (this.#inFlight || this.#thinking || this.#waiting.length === 0) return;
    this.#thinking = setTimeout(() => {
      this.#thinking = undefined;
      if (!this.#inFlight) this.#choose();
    }, THINKING_MS);
  }

  #choose(): void {
    const random = this.#random;
    const [chosen] = this.#waiting.splice(random ? random.below(this.#waiting.length) : 0, 1);
    if (!chosen) return;
    if (random && this.#kills > 0 && random.below(40) === 0) {
      this.#kills -= 1;
      chosen.actor.isDead = true;
      chosen.end(new Killed());
      this.#consider();
    } else chosen.go();
  }
}

function isStream(question: unknown): boolean {
  return typeof question === 'object' && question !== null && 'submit' in question;
}
