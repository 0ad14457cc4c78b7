import { failPoint } from '@dmarc-ledger/vocabulary';
import type { ImapFlow } from 'imapflow';
import type { ByteBudget } from './byte-budget.ts';
import { fetchMails, firstBatch, heldSize } from './fetch-mails.ts';
import type { Epoch, MailboxKeeper } from './mailbox.ts';
import { countAbove, listAbove, messagesIn, stillThere, type ListedMail } from './scan.ts';

const LISTED_AT_ONCE = 1_000;
const STAND_EVERY_MS = 2_000;
/** After so many tries the others come first. */
const TRIES_AT_ONCE = 3;

/** Mails that the server has and would not hand out, by UID: how often, and when to try again. They outlive sessions. */
export type Reluctant = Map<number, { tries: number; notBefore: number }>;

export interface ReadingNeeds {
  client: ImapFlow;
  keeper: MailboxKeeper;
  epoch: Epoch;
  /** Shared by all mailboxes of the process. */
  budget: ByteBudget;
  reluctant: Reluctant;
  /** A mail that could not be fetched is tried again after this, and the others go on. */
  againMs: number;
}

/** Reads what is new in an open folder, batch after batch, each durable before the next is asked for. */
export class Reading {
  readonly #needs: ReadingNeeds;
  #checkpoint: number;
  #listedTo: number;
  #stoodAt = 0;
  #waiting: ListedMail[] = [];
  /** Left behind for now: they hold the checkpoint. */
  readonly #held = new Map<number, ListedMail>();
  /** The rest has been read once: now is the time for those that were left behind. */
  #isRewound = false;

  constructor(needs: ReadingNeeds, checkpoint: number) {
    this.#needs = needs;
    this.#checkpoint = checkpoint;
    this.#listedTo = checkpoint;
  }

  /** Takes in one batch. False when nothing new is left. */
  async readBatch(): Promise<boolean> {
    const { keeper, epoch, budget } = this.#needs;
    if (this.#waiting.length === 0 && !(await this.#listMore())) return false;
    const batch = this.#nextBatch();
    if (batch.length === 0) return true;
    const bytes = batch.reduce((sum, { size }) => sum + heldSize(size), 0);
    await budget.within(bytes, async () => {
      const mails = await this.#fetch(batch);
      await failPoint('F3');
      if (mails.length > 0) await keeper.receive(epoch, mails);
    });
    this.#waiting.splice(0, batch.length);
    this.#advance(batch.at(-1)!.uid);
    return true;
  }

  /** Begins again at the checkpoint: what was left behind is looked at once more. */
  rewind(): void {
    this.#listedTo = this.#checkpoint;
    this.#waiting = [];
    this.#held.clear();
    this.#isRewound = true;
  }

  /** True when mails were left behind, to be looked at again. */
  get hasHeld(): boolean {
    return this.#held.size > 0;
  }

  /** Tells the ledger where things stand; seldom while there is more to do. */
  async stand(isBusy: boolean): Promise<void> {
    if (isBusy && Date.now() - this.#stoodAt < STAND_EVERY_MS) return;
    this.#stoodAt = Date.now();
    const { client, keeper, epoch } = this.#needs;
    const beyond = await countAbove(client, this.#listedTo);
    await keeper.stand(epoch, {
      checkpoint: this.#checkpoint,
      lastUid: this.#listedTo,
      messages: messagesIn(client),
      backlog: beyond + this.#waiting.length + this.#held.size,
      oldestWaitingAt: earliest([...this.#held.values(), ...this.#waiting.slice(0, 1)]),
    });
  }

  async #listMore(): Promise<boolean> {
    const { client, keeper, epoch } = this.#needs;
    const listed = await listAbove(client, this.#listedTo, LISTED_AT_ONCE);
    await failPoint('F2');
    if (listed.length === 0) return false;
    this.#listedTo = listed.at(-1)!.uid;
    const unknown = new Set(
      await keeper.unknown(
        epoch,
        listed.map(({ uid }) => uid),
      ),
    );
    this.#waiting = listed.filter((mail) => unknown.has(mail.uid) && this.#isDue(mail));
    if (this.#waiting.length === 0) this.#advance(this.#listedTo);
    return true;
  }

  async #fetch(batch: readonly ListedMail[]) {
    const { client, reluctant } = this.#needs;
    for (const { uid } of batch) this.#suspect(uid);
    const mails = await fetchMails(client, batch);
    const fetched = new Set(mails.map(({ uid }) => uid));
    const missing = batch.map(({ uid }) => uid).filter((uid) => !fetched.has(uid));
    const withheld = await stillThere(client, missing);
    for (const mail of batch) {
      if (withheld.has(mail.uid)) this.#held.set(mail.uid, mail);
      else reluctant.delete(mail.uid);
    }
    return mails;
  }

  /** What has ended a session, perhaps, is asked for alone: then it is known which one it was. */
  #nextBatch(): ListedMail[] {
    const { reluctant } = this.#needs;
    const suspect = this.#waiting.findIndex(({ uid }) => reluctant.has(uid));
    return firstBatch(this.#waiting.slice(0, suspect === 0 ? 1 : suspect === -1 ? undefined : suspect));
  }

  /** Until it has been handed out, a mail may be what ends the session. */
  #suspect(uid: number): void {
    const { reluctant, againMs } = this.#needs;
    const tries = (reluctant.get(uid)?.tries ?? 0) + 1;
    reluctant.set(uid, { tries, notBefore: tries < TRIES_AT_ONCE ? 0 : Date.now() + againMs });
  }

  #isDue(mail: ListedMail): boolean {
    const suspect = this.#needs.reluctant.get(mail.uid);
    if (!suspect || suspect.tries < TRIES_AT_ONCE || (this.#isRewound && suspect.notBefore <= Date.now())) return true;
    this.#held.set(mail.uid, mail);
    return false;
  }

  #advance(uid: number): void {
    if (this.#held.size === 0) this.#checkpoint = Math.max(this.#checkpoint, uid);
  }
}

function earliest(mails: readonly ListedMail[]): Date | null {
  return mails.reduce<Date | null>(
    (first, { arrivedAt }) => (arrivedAt && (!first || arrivedAt < first) ? arrivedAt : first),
    null,
  );
}
