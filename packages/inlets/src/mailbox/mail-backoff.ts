/** After so many tries the others come first. */
const TRIES_AT_ONCE = 3;

/**
 * Mails that the server does not hand out as it has told, by UID. Until it has been handed out, a mail may be what ends
 * the session; so this outlives sessions.
 */
export class MailBackoff {
  readonly #tried = new Map<number, { tries: number; notBefore: number }>();
  readonly #longer = new Set<number>();
  /** Asked for and not answered yet: when the session ends now, one of these may have ended it. */
  readonly #asking = new Set<number>();

  /** A session begins: all that was left behind may be asked for again, save what may have ended the session before. */
  beginSession(): void {
    for (const [uid, suspect] of this.#tried) if (!this.#asking.has(uid)) suspect.notBefore = 0;
    this.#asking.clear();
  }

  /** It is being asked for. */
  suspect(uid: number, againMs: number): void {
    const tries = (this.#tried.get(uid)?.tries ?? 0) + 1;
    this.#tried.set(uid, { tries, notBefore: tries < TRIES_AT_ONCE ? 0 : Date.now() + againMs });
    this.#asking.add(uid);
  }

  /** The server has answered without it, and the session goes on. */
  postpone(uid: number, againMs: number): void {
    const tries = this.#tried.get(uid)?.tries ?? 1;
    this.#tried.set(uid, { tries, notBefore: Date.now() + againMs });
    this.#asking.delete(uid);
  }

  /** It has been handed out, or is gone. */
  acquit(uid: number): void {
    this.#tried.delete(uid);
    this.#longer.delete(uid);
    this.#asking.delete(uid);
  }

  /** It has been handed out, and is longer than the server had told. */
  knowAsLonger(uid: number): void {
    this.#tried.delete(uid);
    this.#longer.add(uid);
    this.#asking.delete(uid);
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
    if (!suspect) return false;
    return (!areOthersRead && suspect.tries >= TRIES_AT_ONCE) || suspect.notBefore > Date.now();
  }

  /** When it may be asked for again, in milliseconds since 1970. */
  dueAt(uid: number): number {
    return this.#tried.get(uid)?.notBefore ?? 0;
  }
}
