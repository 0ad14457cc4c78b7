import { mailGroup, type NamedSource } from '@dmarc-ledger/ledger';
import { isCompliant, type ReportRecord } from '@dmarc-ledger/dmarc';
import { isPublicAddress } from '@dmarc-ledger/lookups';
import type { MailGroup } from '@dmarc-ledger/sources';

interface SeenSource {
  /** True if some of its mail fails DMARC. */
  isFailing: boolean;
  mail: MailGroup[];
}

/** The addresses in records, each once, with the identities that their mail shows. */
export class SeenSources {
  readonly #byAddress = new Map<string, SeenSource>();
  #size = 0;

  /** The groups of mail, which are at least as many as the addresses; one of many identities counts as several. */
  get size(): number {
    return this.#size;
  }

  add({ sourceIp, count, policyEvaluated, authResults }: ReportRecord): void {
    this.#put(sourceIp, !isCompliant(policyEvaluated), [mailGroup(count, authResults)]);
  }

  /** Moves sources from others to these, until these have so many groups. */
  takeFrom(others: SeenSources, most: number): void {
    for (const [address, { isFailing, mail }] of others.#byAddress) {
      if (this.#size >= most) return;
      this.#put(address, isFailing, mail);
      others.#byAddress.delete(address);
      others.#size -= mail.reduce((sum, group) => sum + sizeOf(group), 0);
    }
  }

  clear(): void {
    this.#byAddress.clear();
    this.#size = 0;
  }

  named(): NamedSource[] {
    return Array.from(this.#byAddress, ([address, { isFailing }]) => ({
      address,
      isFailing,
      isNeverLookedUp: !isPublicAddress(address),
    }));
  }

  /** The mail of each address. */
  mail(): Map<string, readonly MailGroup[]> {
    return new Map(Array.from(this.#byAddress, ([address, { mail }]) => [address, mail]));
  }

  /** Most mail of an address shows the same identities: equal groups that follow one another become one. */
  #put(address: string, isFailing: boolean, mail: readonly MailGroup[]): void {
    let source = this.#byAddress.get(address);
    if (!source) this.#byAddress.set(address, (source = { isFailing, mail: [] }));
    source.isFailing ||= isFailing;
    for (const group of mail) {
      const last = source.mail.at(-1);
      if (last && areSame(last.dkim, group.dkim) && areSame(last.spf, group.spf)) {
        last.messages += group.messages;
      } else {
        source.mail.push(group);
        this.#size += sizeOf(group);
      }
    }
  }
}

/** Mail shows one or two identities; a record can name 200, so that these count by the memory that they take. */
const IDENTITIES = 8;

function sizeOf({ dkim, spf }: MailGroup): number {
  return Math.max(1, (dkim.length + spf.length) / IDENTITIES);
}

function areSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((domain, i) => domain === other[i]);
}
