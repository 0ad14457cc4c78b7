import { publicSuffixDomains } from '@dmarc-ledger/dmarc';
import { readAddressDomain } from '../values/read-domain.ts';
import type { RawFeedback, RawRecord } from '../xml/raw-report.ts';
import type { FileNameHint } from './file-name.ts';

const organizationalDomain = publicSuffixDomains();

/** Finds the domain that a report is about when it does not name it, from the From domains of all its records. */
export class AgreedDomain {
  #organization: string | null = null;
  #isAgreed = true;

  add(record: RawRecord): void {
    const name = readAddressDomain(record.identifiers?.header_from ?? null, 'header_from', () => undefined);
    const organization = name?.isName ? organizationalDomain(name.domain) : null;
    this.#organization ??= organization;
    if (organization === null || organization !== this.#organization) this.#isAgreed = false;
  }

  /** For a policy without its domain the records suffice; without any policy the file name must agree. */
  get(feedback: RawFeedback, hint: FileNameHint | null): string | null {
    if (!this.#isAgreed || this.#organization === null) return null;
    if (feedback.policy_published) return this.#organization;
    return hint && organizationalDomain(hint.domain) === this.#organization ? hint.domain : null;
  }
}
