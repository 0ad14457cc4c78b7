import { present } from '@dmarc-ledger/vocabulary';
import { askServer } from './ask-server.ts';
import type { defaultOptions, DnsClientOptions } from './client-options.ts';
import type { DnsFact } from './dns-fact.ts';
import type { Gate, GateLimits } from './gate.ts';
import type { Question } from './query.ts';
import { serverText, type ServerAddress } from './server-address.ts';
import { ServerGates } from './server-gates.ts';
import type { SilenceGuard } from './silence-guard.ts';

export type AskerOptions = DnsClientOptions & typeof defaultOptions;

/** Shared by all questions of a process. */
export interface Shared {
  gate: Gate;
  silence: SilenceGuard;
}

/** Queries one server after the other, each within its limits, until one answers. */
export class ServerAsker {
  readonly #options: AskerOptions;
  readonly #shared: Shared;
  readonly #gates: ServerGates;

  constructor(options: AskerOptions, shared: Shared, perServer: GateLimits) {
    this.#options = options;
    this.#shared = shared;
    this.#gates = new ServerGates(perServer);
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
    const { gate, silence } = this.#shared;
    const text = serverText(server);
    const ask = async (): Promise<DnsFact> => {
      if (!silence.mayAsk(text))
        return { outcome: 'timeout', detail: 'not queried: the server has not answered for a while', server: text };
      const begin = performance.now();
      const fact = await askServer(question, server, this.#options);
      silence.note(text, fact);
      const ms = performance.now() - begin;
      this.#options.onQuery?.({ server: text, type: question.type, outcome: fact.outcome, ms });
      return fact;
    };
    const fact = await this.#gates.of(text).run(() => gate.run(ask));
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
