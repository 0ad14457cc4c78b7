import { isNamed } from '../senders/identify-sender.ts';
import { groupedDigits } from '@dmarc-ledger/vocabulary';
import { abuseStatusOf } from './abuse-status.ts';
import type { AddressFacts, PtrFact } from './address-facts.ts';
import { isTorExit } from './network-use.ts';

/** A listing of this tier or above is a reason of its own. */
const SERIOUS_TIER = 3;

/**
 * Explains the rating of an address in one sentence; the first reason that applies. (rules,
 * reputation/reputation-reason)
 */
export function reputationReason(facts: AddressFacts, failCount: number): string | undefined {
  const { abuseScore, abuseReports = 0, blocklists, sender } = facts;
  const status = abuseStatusOf(abuseScore);
  if (blocklists?.hasMalwareC2)
    return `Listed as malware infrastructure on ${blocklists.malwareList ?? blocklists.topList}.`;
  if (status === 'malicious' && abuseReports > 0)
    return `Reported for abuse ${times(abuseReports)}; confidence ${abuseScore}%.`;
  if (status === 'malicious' || status === 'suspicious') return `Abuse confidence ${abuseScore}%.`;
  if ((blocklists?.topTier ?? 0) >= SERIOUS_TIER) return `Listed on ${blocklists?.topList}.`;
  if (isTorExit(facts)) return 'This address is a Tor exit.';
  const doubt = failCount > 0 ? reverseDnsDoubt(facts.ptr) : undefined;
  if (doubt) return doubt;
  return status === 'clean' && isNamed(sender) ? `Known sending service: ${sender.name}.` : undefined;
}

function times(count: number): string {
  return count === 1 ? 'once' : `${groupedDigits(count)} times`;
}

function reverseDnsDoubt(ptr: PtrFact | undefined): string | undefined {
  if (ptr === null) return 'Reverse DNS is missing.';
  if (ptr?.generic) return 'Reverse DNS looks like a consumer connection.';
  return ptr?.confirmed === false ? 'Reverse DNS does not match the address.' : undefined;
}
