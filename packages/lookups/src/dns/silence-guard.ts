import type { Exchanged } from './exchanged.ts';

/** Why a question to a silent server has no answer. */
export const NOT_ASKED = 'not queried: the server has not answered for a while';
/**
 * A server counts as silent after this many questions without any answer, over this long: one dead zone is not enough.
 */
const SILENT_AFTER = { questions: 20, ms: 5_000 };
/** The interval of probes to a silent server. */
const PROBE_MS = 1_000;
const MAX_SERVERS = 1_000;

interface Silence {
  unanswered: number;
  sinceMs: number;
  nextProbeMs: number;
}

/** Fails questions to a silent server at once, except for one probe a second. */
export class SilenceGuard {
  readonly #silences = new Map<string, Silence>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  mayAsk(server: string): boolean {
    const silence = this.#silences.get(server);
    const now = this.#now();
    if (!silence || silence.unanswered < SILENT_AFTER.questions || now - silence.sinceMs < SILENT_AFTER.ms) return true;
    if (silence.nextProbeMs > now) return false;
    silence.nextProbeMs = now + PROBE_MS;
    return true;
  }

  note(server: string, { failure }: Pick<Exchanged, 'failure'>): void {
    if (failure !== 'timeout' && failure !== 'network') return void this.#silences.delete(server);
    const now = this.#now();
    const { unanswered, sinceMs } = this.#silences.get(server) ?? { unanswered: 0, sinceMs: now };
    this.#silences.delete(server);
    this.#silences.set(server, { unanswered: unanswered + 1, sinceMs, nextProbeMs: now + PROBE_MS });
    const oldest = this.#silences.keys().next().value;
    if (this.#silences.size > MAX_SERVERS && oldest !== undefined) this.#silences.delete(oldest);
  }
}
