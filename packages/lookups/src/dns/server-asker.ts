import { present } from '@dmarc-ledger/vocabulary';
import { askServer } from './ask-server.ts';
import type { defaultOptions, DnsClientOptions } from './client-options.ts';
import type { DnsFact } from './dns-fact.ts';
import type { FairGate } from './fair-gate.ts';
import type { GateLimits } from './gate.ts';
import { Gates } from './gates.ts';
import { ownerOf } from './owner-of.ts';
import type { Question } from './query.ts';
import { serverText, type ServerAddress } from './server-address.ts';
import { NOT_ASKED, type SilenceGuard } from './silence-guard.ts';
import type { SlowOwners } from './slow-owners.ts';

export type AskerOptions = DnsClientOptions & typeof defaultOptions;

/** Shared by all questions of a process. */
export interface Shared {
  gate: FairGate;
  silence: SilenceGuard;
  slow: SlowOwners;
}

/** Limits of the questions of one asker. */
export interface AskerLimits {
  perServer: GateLimits;
  perOwner: GateLimits;
  /** All of its questions together, within those of the process. */
  together?: FairGate;
}

/** Queries one server after the other, each within its limits, until one answers. */
export class ServerAsker {
  readonly #options: AskerOptions;
  readonly #shared: Shared;
  readonly #servers: Gates;
  readonly #owners: Gates;
  readonly #together: FairGate | undefined;

  constructor(options: AskerOptions, shared: Shared, { perServer, perOwner, together }: AskerLimits) {
    this.#options = options;
    this.#shared = shared;
    this.#servers = new Gates(perServer);
    this.#owners = new Gates(perOwner);
    this.#together = together;
  }

  /** Retries after a timeout or a network error; a server's own error is only retried with another server. */
  async ask(question: Question, servers: readonly ServerAddress[]): Promise<DnsFact> {
    let fact: DnsFact | undefined;
    for (let attempt = 0; attempt < this.#options.tries; attempt += 1) {
      const server = present(servers[attempt % servers.length]);
      if (fact && isSaid(fact) && servers.length === 1) return fact;
      fact = await this.#askOne(question, server);
      if (!isWorthAnother(fact, question)) return fact;
    }
    return fact ?? { outcome: 'network', detail: 'no attempt is allowed' };
  }

  async #askOne(question: Question, server: ServerAddress): Promise<DnsFact> {
    const { gate, silence, slow } = this.#shared;
    const text = serverText(server);
    const owner = ownerOf(question.name, this.#options.organizationalDomain);
    const ask = async (): Promise<DnsFact> => {
      if (!silence.mayAsk(text)) return { outcome: 'timeout', detail: NOT_ASKED, server: text };
      const begin = performance.now();
      const fact = await askServer(question, server, { ...this.#options, silence });
      const ms = performance.now() - begin;
      slow.note(owner, ms);
      this.#options.onQuery?.({ server: text, type: question.type, outcome: fact.outcome, ms });
      return fact;
    };
    const askInTurn = () => gate.run(owner, ask);
    const askTogether = () => (this.#together ? this.#together.run(owner, askInTurn) : askInTurn());
    // the owner's gate is the first: what waits there takes no turn of a server that others are on too
    const fact = await this.#owners.of(owner).run(() => this.#servers.of(text).run(askTogether));
    return fact ?? { outcome: 'overloaded', detail: 'too many queries are waiting', server: text };
  }
}

function isSaid({ outcome }: DnsFact): boolean {
  return outcome === 'servfail' || outcome === 'refused' || outcome === 'formerr' || outcome === 'referral';
}

function isWorthAnother(fact: DnsFact, { recursion }: Question): boolean {
  switch (fact.outcome) {
    case 'timeout':
    case 'network':
    case 'malformed':
    case 'servfail':
    case 'refused':
    case 'formerr':
      return true;
    case 'referral':
      return recursion;
    case 'answer':
    case 'nodata':
    case 'nxdomain':
    case 'alias':
    case 'alias_limit':
    case 'invalid_name':
    case 'forbidden_server':
    case 'overloaded':
    case 'aborted':
      return false;
  }
}
