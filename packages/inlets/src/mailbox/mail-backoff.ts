/** After this many tries a mail comes after the others. */
const TRIES_AT_ONCE = 3;

/**
 * Mails that the server does not return as it listed them, by UID. Until it has been returned, a mail may be what ends
 * the session; so this outlives sessions.
 */
export class MailBackoff {
  readonly #tried = new Map<number, { tries: number; notBefore: number }>();
  readonly #longer = new Set<number>();
  /** Requested and not answered yet: when the session ends now, one of these may have ended it. */
  readonly #asking = new Set<number>();

  /**
   * A session begins: all deferred mails may be requested again, except those that may have ended the session before.
   */
  beginSession(): void {
    for (const [uid, suspect] of this.#tried) if (!this.#asking.has(uid)) suspect.notBefore = 0;
    this.#asking.clear();
  }

  /** It is being requested. */
  suspect(uid: number, againMs: number): void {
    const tries = (this.#tried.get(uid)?.tries ?? 0) + 1;
    this.#tried.set(uid, { tries, notBefore: tries < TRIES_AT_ONCE ? 0 : performance.now() + againMs });
    this.#asking.add(uid);
  }

  /** The server has answered without it, and the session continues. */
  postpone(uid: number, againMs: number): void {
    const tries = this.#tried.get(uid)?.tries ?? 1;
    this.#tried.set(uid, { tries, notBefore: performance.now() + againMs });
    this.#asking.delete(uid);
  }

  /** It has been returned, or is gone. */
  acquit(uid: number): void {
    this.#tried.delete(uid);
    this.#longer.delete(uid);
    this.#asking.delete(uid);
  }

  /** It has been returned, and is longer than the server had reported. */
  knowAsLonger(uid: number): void {
    this.#tried.delete(uid);
    this.#longer.add(uid);
    this.#asking.delete(uid);
  }

  isLonger(uid: number): boolean {
    return this.#longer.has(uid);
  }

  /** It has perhaps ended a session, or needs a budget of its own. */
  comesAlone(uid: number): boolean {
    return this.#tried.has(uid) || this.#longer.has(uid);
  }

  /** Whether it is deferred: until the others have been read, and its time has come again. */
  isLeft(uid: number, areOthersRead: boolean): boolean {
    const suspect = this.#tried.get(uid);
    if (!suspect) return false;
    return (!areOthersRead && suspect.tries >= TRIES_AT_ONCE) || suspect.notBefore > performance.now();
  }

  /** When it may be requested again, by `performance.now()`. */
  dueAt(uid: number): number {
    return this.#tried.get(uid)?.notBefore ?? 0;
  }
}
