/** After so many tries the others come first. */
const TRIES_AT_ONCE = 3;

/**
 * Mails that the server does not hand out as it has told, by UID. Until it has been handed out, a mail may be what ends
 * the session; so this outlives sessions.
 */
export class Reluctant {
  readonly #tried = new Map<number, { tries: number; notBefore: number }>();
  readonly #longer = new Set<number>();

  /** It is being asked for. */
  suspect(uid: number, againMs: number): void {
    const tries = (this.#tried.get(uid)?.tries ?? 0) + 1;
    this.#tried.set(uid, { tries, notBefore: tries < TRIES_AT_ONCE ? 0 : Date.now() + againMs });
  }

  /** It has been handed out, or is gone. */
  acquit(uid: number): void {
    this.#tried.delete(uid);
    this.#longer.delete(uid);
  }

  /** It has been handed out, and is longer than the server had told. */
  knowAsLonger(uid: number): void {
    this.#tried.delete(uid);
    this.#longer.add(uid);
  }

  isLonger(uid: number): boolean {
    return this.#longer.has(uid);
  }

  /** It has perhaps ended a session, or needs room of its own. */
  comesAlone(uid: number): boolean {
    return this.#tried.has(uid) || this.#longer.has(uid);
  }

  /** Whether it is left behind for now: until the others have been read, and its time has come again. */
  isLeft(uid: number, areOthersRead: boolean): boolean {
    const suspect = this.#tried.get(uid);
    if (!suspect || suspect.tries < TRIES_AT_ONCE) return false;
    return !areOthersRead || suspect.notBefore > Date.now();
  }
}
