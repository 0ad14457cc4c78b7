import { refreshEnforcementDays, decideSender, withdrawDecision } from '@dmarc-ledger/ledger';
import { type Database, type Db, transact } from '@dmarc-ledger/schema';
import { senderDecisions } from '@dmarc-ledger/vocabulary';
import { DAY_ONE } from '@dmarc-ledger/testkit';
import type { Random } from '@dmarc-ledger/testkit/random';

const DAY_MS = 86_400_000;
const domains = ['even.example', 'odd.example'] as const;
const dayOf = (days: number) => new Date(DAY_ONE * 1_000 + days * DAY_MS).toISOString().slice(0, 10);

/** Decisions about the senders of an organization, and what they rest on. */
export class Decisions {
  readonly #orgId: string;
  readonly #sender: string;
  /** Changes that were confirmed to the person: none of them may be lost. */
  #confirmed = 0;

  /** @param address one of the sender's; its network is the sender */
  constructor(orgId: string, address: string) {
    this.#orgId = orgId;
    this.#sender = `${address.split('.').slice(0, 3).join('.')}.0/24`;
  }

  /** Decides, or withdraws a decision. */
  async decide({ db }: Database, random: Random): Promise<void> {
    const which = { domain: random.pick(domains), sender: this.#sender };
    const before = await this.#changes(db);
    if (random.below(4) === 0) await withdrawDecision(db, this.#orgId, which, 'model@example.com');
    else {
      const decision = random.pick(senderDecisions);
      await decideSender(db, this.#orgId, which, { decision, owner: '', note: '', by: 'model@example.com' });
    }
    this.#confirmed += (await this.#changes(db)) - before;
  }

  /** Stores what a stricter policy would do to the mail of the days. */
  async lookAhead(database: Database, random: Random): Promise<void> {
    const domain = random.pick(domains);
    const found = await database.db
      .selectFrom('domain')
      .select('id')
      .where('org_id', '=', this.#orgId)
      .where('name', '=', domain)
      .executeTakeFirst();
    if (!found) return;
    const mail = { orgId: this.#orgId, domainId: found.id, domain, from: dayOf(-5), to: dayOf(5) };
    await transact(database, (session) => refreshEnforcementDays(session, mail, { days: 10, quietMinutes: 0 }));
  }

  /** Decisions that do not follow from their history, and changes that are lost. */
  async faults(db: Db): Promise<string[]> {
    const changes = await db
      .selectFrom('sender_decision_change')
      .select(['domain_id', 'sender', 'decision'])
      .where('org_id', '=', this.#orgId)
      .orderBy('changed_at')
      .orderBy('id')
      .execute();
    const last = new Map(changes.map(({ domain_id, sender, decision }) => [`${domain_id} ${sender}`, decision]));
    const stored = await db
      .selectFrom('sender_decision')
      .select(['domain_id', 'sender', 'decision'])
      .where('org_id', '=', this.#orgId)
      .execute();
    const held = new Map(stored.map(({ domain_id, sender, decision }) => [`${domain_id} ${sender}`, decision]));
    const wrong = [...last].filter(([key, decision]) => (held.get(key) ?? null) !== decision);
    const lost = this.#confirmed - changes.length;
    return [
      ...wrong.map(
        ([key, decision]) => `${key} is decided ${held.get(key) ?? 'not at all'}, not ${decision ?? 'open'}`,
      ),
      ...[...held.keys()].filter((key) => !last.has(key)).map((key) => `${key} is decided without history`),
      ...(lost > 0 ? [`${lost} changes of decisions are lost`] : []),
    ];
  }

  async #changes(db: Db): Promise<number> {
    const { count } = await db
      .selectFrom('sender_decision_change')
      .select((of) => of.fn.countAll().as('count'))
      .where('org_id', '=', this.#orgId)
      .executeTakeFirstOrThrow();
    return Number(count);
  }
}
