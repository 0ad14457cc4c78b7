import { isDeepStrictEqual } from 'node:util';
import {
  brokenSignatures,
  findContradictions,
  type OrganizationalDomain,
  passedSignatures,
  type PolicyPublished,
  type RecordAlignment,
  type ReportRecord,
} from '@dmarc-ledger/dmarc';
import { type Warning, WarningList } from '@dmarc-ledger/vocabulary';
import { SeenNames } from './seen-names.ts';

/** The report that records belong to. */
export interface SeenPlace {
  domainId: string;
  day: string;
  policy: PolicyPublished;
}

/** What the records of one report show besides their sources: names, and verdicts that disagree with their evidence. */
export class SeenReport {
  readonly names: SeenNames;
  readonly #place: SeenPlace;
  readonly #organizationalDomain: OrganizationalDomain;
  readonly #ownDomain: string | undefined;
  readonly #contradictions = new WarningList();

  constructor(place: SeenPlace, organizationalDomain: OrganizationalDomain) {
    this.names = new SeenNames(place.domainId);
    this.#place = place;
    this.#organizationalDomain = organizationalDomain;
    this.#ownDomain = organizationalDomain(place.policy.domain);
  }

  add(record: ReportRecord, alignment: RecordAlignment, position: number): void {
    const { day, policy } = this.#place;
    for (const code of findContradictions(record, alignment, policy)) this.#contradictions.add(code, null, position);
    this.names.addKeys(this.#alignedSelectors(record), day);
    this.names.addPasses(passedSignatures(record, alignment), record.count);
    this.names.addFailures(brokenSignatures(record, alignment), record.sourceIp, record.count);
    this.names.addSender(record.identifiers.headerFrom, policy.domain, record.count, day);
  }

  /** Whether the report has kept its place and its policy. */
  isOf({ domainId, day, policy }: SeenPlace): boolean {
    const place = this.#place;
    return domainId === place.domainId && day === place.day && isDeepStrictEqual(policy, place.policy);
  }

  get warnings(): Warning[] {
    return this.#contradictions.toArray();
  }

  /** Signatures of the domain itself, or of one with the same organizational domain, whose keys matter to it. */
  #alignedSelectors({ authResults, count }: ReportRecord) {
    return (authResults.dkim ?? []).flatMap(({ domain: signer, selector }) =>
      signer && selector && this.#organizationalDomain(signer) === this.#ownDomain
        ? [{ signer, selector: selector.toLowerCase(), messages: count }]
        : [],
    );
  }
}
