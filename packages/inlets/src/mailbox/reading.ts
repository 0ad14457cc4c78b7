import { failPoint, present } from '@dmarc-ledger/vocabulary';
import { asLongAsItIs, asListed, firstBatch, type Wanted } from './batch.ts';
import { MailboxFault } from './mailbox-fault.ts';
import { listAbove, lookAbove, messagesIn, type ListedMail } from './scan.ts';
import { takeIn, type TakingNeeds } from './take-in.ts';

const LISTED_AT_ONCE = 1_000;
const SAVED_EVERY_MS = 2_000;

/** Reads new mail in an open folder, batch after batch, each durable before the next is requested. */
export class Reading {
  readonly #needs: TakingNeeds;
  #checkpoint: number;
  #listedTo: number;
  #savedAt = -Infinity;
  #waiting: ListedMail[] = [];
  /** Deferred mails: they hold the checkpoint. */
  readonly #held = new Map<number, ListedMail>();
  /** The rest has been read once: deferred mails are next. */
  #isRewound = false;

  constructor(needs: TakingNeeds, checkpoint: number) {
    this.#needs = needs;
    this.#checkpoint = checkpoint;
    this.#listedTo = checkpoint;
  }

  /** Receives one batch. False when nothing new is left. */
  async readBatch(): Promise<boolean> {
    if (this.#waiting.length === 0 && !(await this.#listMore())) return false;
    const batch = this.#nextBatch();
    if (batch.length === 0) return true;
    const { longer, withheld } = await takeIn(this.#needs, batch);
    for (const mail of withheld) this.#held.set(mail.uid, mail);
    this.#waiting.splice(0, batch.length, ...longer);
    if (longer.length === 0) this.#advance(present(batch.at(-1)).mail.uid);
    return true;
  }

  /** Starts again at the checkpoint, so that deferred mails are checked once more. */
  rewind(): void {
    this.#listedTo = this.#checkpoint;
    this.#waiting = [];
    this.#held.clear();
    this.#isRewound = true;
  }

  /** True when mails were deferred. */
  get hasHeld(): boolean {
    return this.#held.size > 0;
  }

  /** When the first deferred mail may be requested again, by `performance.now()`; Infinity: there is none. */
  get heldUntil(): number {
    // there may be more of them than a call can have arguments
    return this.#held.keys().reduce((first, uid) => Math.min(first, this.#needs.backoff.dueAt(uid)), Infinity);
  }

  /** The deferred mails as a fault that does not end the session; undefined when there are none. */
  leftBehind(): MailboxFault | undefined {
    const [first] = this.#held.keys();
    if (first === undefined) return undefined;
    const mails = this.#held.size === 1 ? '1 mail is' : `${this.#held.size} mails are`;
    return new MailboxFault(
      'mail_left_behind',
      `${mails} left behind, from UID ${first}: the server did not deliver them. They are requested again every few ` +
        `minutes.`,
    );
  }

  /** Records the progress in the ledger; seldom while there is more to do. */
  async saveProgress(isBusy: boolean): Promise<void> {
    if (isBusy && performance.now() - this.#savedAt < SAVED_EVERY_MS) return;
    this.#savedAt = performance.now();
    const { client, store, uidValidity } = this.#needs;
    const beyond = await lookAbove(client, this.#listedTo);
    await store.saveProgress(uidValidity, {
      checkpoint: this.#checkpoint,
      lastUid: this.#listedTo,
      messages: messagesIn(client),
      backlog: beyond.count + this.#waiting.length + this.#held.size,
      oldestWaitingAt: earliest([...this.#held.values(), this.#waiting[0], beyond.first]),
      newestAt: beyond.newest?.arrivedAt ?? null,
    });
  }

  async #listMore(): Promise<boolean> {
    const { client, store, uidValidity } = this.#needs;
    const listed = await listAbove(client, this.#listedTo, LISTED_AT_ONCE);
    await failPoint('F2');
    if (listed.length === 0) return false;
    this.#listedTo = present(listed.at(-1)).uid;
    const unknown = new Set(
      await store.unknown(
        uidValidity,
        listed.map(({ uid }) => uid),
      ),
    );
    this.#waiting = listed.filter((mail) => unknown.has(mail.uid) && this.#isDue(mail));
    if (this.#waiting.length === 0) this.#advance(this.#listedTo);
    return true;
  }

  #nextBatch(): Wanted[] {
    const { backoff } = this.#needs;
    const alone = this.#waiting.findIndex(({ uid }) => backoff.comesAlone(uid));
    const batch = firstBatch(this.#waiting.slice(0, alone === 0 ? 1 : alone === -1 ? undefined : alone));
    return batch.map((mail) => (backoff.isLonger(mail.uid) ? asLongAsItIs(mail) : asListed(mail)));
  }

  #isDue(mail: ListedMail): boolean {
    const isLeft = this.#needs.backoff.isLeft(mail.uid, this.#isRewound);
    if (isLeft) this.#held.set(mail.uid, mail);
    return !isLeft;
  }

  #advance(uid: number): void {
    if (this.#held.size === 0) this.#checkpoint = Math.max(this.#checkpoint, uid);
  }
}

function earliest(mails: readonly (ListedMail | undefined)[]): Date | null {
  return mails.reduce<Date | null>(
    (first, mail) => (mail?.arrivedAt && (!first || mail.arrivedAt < first) ? mail.arrivedAt : first),
    null,
  );
}
