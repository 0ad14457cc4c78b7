import type { Signature } from '@dmarc-ledger/dmarc';
import type { ReportSignatures, SeenSelector, SeenSubdomain } from '@dmarc-ledger/ledger';
import { isDomainName, readDomainName } from '@dmarc-ledger/vocabulary';

/**
 * The most distinct names of one report that are kept, of each kind, because a sender can make up any number of them.
 */
const KEPT = 1_000;

/** The names in the records of one report, each once: keys that mail was signed with, and senders below the domain. */
export class SeenNames {
  readonly #domainId: string;
  readonly #selectors = new Map<string, SeenSelector>();
  readonly #subdomains = new Map<string, SeenSubdomain>();
  readonly #passes = new Map<string, ReportSignatures['passes'][number]>();
  readonly #failures = new Map<string, ReportSignatures['failures'][number]>();

  constructor(domainId: string) {
    this.#domainId = domainId;
  }

  get selectors(): SeenSelector[] {
    return [...this.#selectors.values()];
  }

  get subdomains(): SeenSubdomain[] {
    return [...this.#subdomains.values()];
  }

  addKeys(keys: readonly { signer: string; selector: string; messages: number }[], day: string): void {
    for (const key of keys)
      add(this.#selectors, nameOf(key), key.messages, () =>
        isAskable(key) ? { ...key, day, domainId: this.#domainId } : undefined,
      );
  }

  get passes(): ReportSignatures['passes'] {
    return [...this.#passes.values()];
  }

  get failures(): ReportSignatures['failures'] {
    return [...this.#failures.values()];
  }

  /** Adds the aligned signatures of a record that passed; an empty signer and selector stand for any of them. */
  addPasses(passes: readonly Signature[], messages: number): void {
    if (passes.length > 0) add(this.#passes, ' ', 0, () => ({ signer: '', selector: '', messages: 0 }));
    for (const one of distinct(passes))
      add(this.#passes, nameOf(one), messages, () => (isAskable(one) ? { ...one, messages } : undefined));
  }

  /** Adds the aligned signatures of a record that did not pass. */
  addFailures(failures: readonly Signature[], address: string, messages: number): void {
    for (const one of distinct(failures))
      add(this.#failures, `${nameOf(one)} ${address}`, messages, () =>
        isAskable(one) ? { ...one, address, messages } : undefined,
      );
  }

  addSender(headerFrom: string, domain: string, messages: number, day: string): void {
    if (!headerFrom.endsWith(`.${domain}`)) return;
    add(this.#subdomains, headerFrom, messages, () =>
      isDomainName(headerFrom) ? { name: headerFrom, messages, day, domainId: this.#domainId } : undefined,
    );
  }
}

/** Whether the name can have a record in the DNS: a report may contain any text. */
function isAskable({ signer, selector }: { signer: string; selector: string }): boolean {
  return isDomainName(signer) && readDomainName(`${selector}._domainkey.${signer}`) !== undefined;
}

/** The signatures that name a selector, each once. */
function distinct(signatures: readonly Signature[]): Signature[] {
  const named = signatures.filter(({ selector }) => selector !== '');
  return named.length < 2 ? named : [...new Map(named.map((one) => [nameOf(one), one])).values()];
}

function nameOf({ signer, selector }: Signature): string {
  return `${signer} ${selector}`;
}

/** Adds messages to a name; `make` checks and makes an unknown one. */
function add<Seen extends { messages: number }>(
  names: Map<string, Seen>,
  name: string,
  messages: number,
  make: () => Seen | undefined,
): void {
  const known = names.get(name);
  if (known) {
    known.messages += messages;
    return;
  }
  const seen = names.size < KEPT ? make() : undefined;
  if (seen) names.set(name, seen);
}
