import type { SpfFacts } from '@dmarc-ledger/vocabulary';
import { bareText, confirm, hashOf, type CheckFact, type Judged, type SeenRecords, undoubted } from './checks.ts';
import { eventTexts } from './event-texts.ts';
import { holding, over, type Judgement } from './judgement.ts';

const LOOKUPS = { exceeded: 11, near: 9 };
const VOIDS = 3;
const broken = ['spf_record_missing', 'spf_record_invalid'] as const;
const graded = ['spf_lookup_limit_exceeded', 'spf_lookup_limit_near', 'spf_permissive'] as const;

/** Compares the SPF record of a domain with the last valid one. (rules, events/spf-changes) */
export function judgeSpf(domain: string, check: CheckFact | undefined, seen: SeenRecords): Judged {
  if (!check || check.status === 'unknown') return { judgements: [], seen };
  const facts = check.facts as SpfFacts | null; // the column is only written from SPF facts
  if (facts === null) {
    if (check.status !== 'error' || seen.spf === undefined) return { judgements: [], seen };
    const { isAgreed, doubtful } = confirm('spf', check, seen);
    return { judgements: isAgreed ? fault(domain, check) : [], seen: doubtful };
  }
  const faults = faultsOf(facts);
  const text = bareText(check.records);
  const raised = graded.map((type) =>
    faults.includes(type)
      ? holding(type, { domain, protocol: 'spf', message: textOf(type, facts, check) })
      : over(type, domain),
  );
  const isStronger = faults.some((type) => type !== 'spf_lookup_limit_near' && !seen.spf?.faults.includes(type));
  const isChanged = seen.spf !== undefined && seen.spf.text !== text && !isStronger;
  const changed = () =>
    holding('spf_record_changed', {
      domain,
      protocol: 'spf',
      parts: [domain, hashOf(text)],
      message: check.details,
      occurrence: check.changedAt.toISOString(),
    });
  const mended = broken.map((type) => over(type, domain));
  return {
    judgements: [...mended, ...raised, ...(isChanged ? [changed()] : [])],
    seen: { ...undoubted('spf', seen), spf: { text, faults } },
  };
}

/** A missing or invalid record that two checks agree about, and that was valid before. */
function fault(domain: string, check: CheckFact): Judgement[] {
  const [missing, invalid] = broken;
  const [type, other] = check.hasRecord ? [invalid, missing] : [missing, invalid];
  return [over(other, domain), holding(type, { domain, protocol: 'spf', message: check.details })];
}

/** The details of the check name the gravest fault alone, and a record may have several. */
function textOf(type: (typeof graded)[number], facts: SpfFacts, { status, details }: CheckFact): string {
  if (type === 'spf_permissive') return eventTexts.spfPermissive();
  if (type === 'spf_lookup_limit_near') return status === 'ok' ? details : eventTexts.spfNear(facts);
  return facts.lookups >= LOOKUPS.exceeded ? eventTexts.spfLookups(facts) : eventTexts.spfVoids(facts);
}

function faultsOf({ lookups, voids, isPermissive }: SpfFacts): (typeof graded)[number][] {
  const isExceeded = lookups >= LOOKUPS.exceeded || voids >= VOIDS;
  return graded.filter((type) => {
    if (type === 'spf_permissive') return isPermissive;
    return type === 'spf_lookup_limit_exceeded' ? isExceeded : !isExceeded && lookups >= LOOKUPS.near;
  });
}
