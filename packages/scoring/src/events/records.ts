import type { CheckFact, Judged, SeenRecords } from './checks.ts';
import { judgeDkim } from './dkim.ts';
import { judgeDmarc } from './dmarc.ts';
import { judgeExtras, judgeMtaSts, judgeMx } from './mail-hosts.ts';
import { judgeSpf } from './spf.ts';
import { judgeStates } from './states.ts';

export interface RecordFacts {
  domain: string;
  /** The newest checks, by subject. */
  checks: ReadonlyMap<string, CheckFact>;
  /** Messages signed in the last 7 days, by `signer/selector`. */
  signed: ReadonlyMap<string, number>;
  /** Keys of the domain's conditions that hold. */
  open: Iterable<string>;
}

/** Compares what a domain publishes with the state seen before. Judging the same facts twice reports nothing new. */
export function judgeRecords({ domain, checks, signed, open }: RecordFacts, before: SeenRecords): Judged {
  const steps = [
    (seen: SeenRecords) => judgeStates(domain, checks, seen),
    (seen: SeenRecords) => judgeDmarc(domain, checks.get('dmarc'), seen),
    (seen: SeenRecords) => judgeSpf(domain, checks.get('spf'), seen),
    (seen: SeenRecords) => judgeMx(domain, checks.get('mx'), seen),
    (seen: SeenRecords) => judgeMtaSts(domain, checks.get('mta_sts'), seen),
    (seen: SeenRecords) => judgeExtras(domain, checks, seen),
  ];
  const start: Judged = { judgements: judgeDkim(domain, checks.get('dkim'), signed, open), seen: before };
  return steps.reduce(({ judgements, seen }, step) => {
    const judged = step(seen);
    return { judgements: [...judgements, ...judged.judgements], seen: judged.seen };
  }, start);
}
