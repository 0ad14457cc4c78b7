import type { DnsFact } from './dns-fact.ts';

/** Questions without any answer, in a row, after which a server counts as silent. */
const SILENT_AFTER = 20;
/** A silent server is asked so often, to hear whether it is back. */
const PROBE_MS = 1_000;
const MAX_SERVERS = 1_000;

interface Silence {
  unanswered: number;
  nextProbeMs: number;
}

/** Where nothing answers, nothing should wait: a server that has gone silent is asked once a second, all else fails at once. */
export class SilenceGuard {
  readonly #silences = new Map<string, Silence>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  mayAsk(server: string): boolean {
    const silence = this.#silences.get(server);
    if (!silence || silence.unanswered < SILENT_AFTER) return true;
    if (silence.nextProbeMs > this.#now()) return false;
    silence.nextProbeMs = this.#now() + PROBE_MS;
    return true;
  }

  note(server: string, { outcome }: DnsFact): void {
    if (outcome !== 'timeout' && outcome !== 'network') return void this.#silences.delete(server);
    const unanswered = (this.#silences.get(server)?.unanswered ?? 0) + 1;
    this.#silences.delete(server);
    this.#silences.set(server, { unanswered, nextProbeMs: this.#now() + PROBE_MS });
    const oldest = this.#silences.keys().next().value;
    if (this.#silences.size > MAX_SERVERS && oldest !== undefined) this.#silences.delete(oldest);
  }
}
