import { isNamed } from '../senders/identify-sender.ts';
import { abuseStatusOf, type AbuseStatus } from './abuse-status.ts';
import type { AddressFacts, PtrFact } from './address-facts.ts';
import { isTorExit } from './network-use.ts';

/** The red flags of an address. (rules, classification/red-flags) */
export type RedFlag = 'H1' | 'H2' | 'H3' | 'S1' | 'S2' | 'S3' | 'S4' | 'S5';

/** Returns the flags that facts support. H2 and S2 may occur together: one list of tier 3, another of tier 2. */
export function redFlagsOf(facts: AddressFacts): RedFlag[] {
  const status = abuseStatusOf(facts.abuseScore);
  const tiers = facts.blocklists?.tiers ?? [];
  const { ptr } = facts;
  const flags: [RedFlag, boolean][] = [
    ['H1', status === 'malicious'],
    ['H2', tiers.some((tier) => tier >= 3)],
    ['H3', isTorExit(facts)],
    ['S1', status === 'suspicious'],
    ['S2', tiers.includes(2)],
    ['S3', ptr === null],
    ['S4', ptr?.generic === true],
    ['S5', ptr?.confirmed === false],
  ];
  return flags.filter(([, holds]) => holds).map(([flag]) => flag);
}

/**
 * The facts that classifying a failing record needs about its source: the shape of `SourceFacts` in the dmarc package.
 */
export interface ClassificationFacts {
  sender?: { forwarder: boolean; category: string };
  abuseStatus: AbuseStatus;
  listedTiers?: readonly number[];
  torExit: boolean;
  ptr?: PtrFact;
}

/** Weak evidence identifies no sender, so it is left out. */
export function classificationFacts(facts: AddressFacts): ClassificationFacts {
  const { sender, ptr, blocklists } = facts;
  return {
    ...(isNamed(sender) && { sender: { forwarder: sender.forwarder, category: sender.category } }),
    abuseStatus: abuseStatusOf(facts.abuseScore),
    ...(blocklists && blocklists.tiers.length > 0 && { listedTiers: blocklists.tiers }),
    torExit: isTorExit(facts),
    ...(ptr !== undefined && { ptr }),
  };
}
