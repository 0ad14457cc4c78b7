import type { EffectivePolicy } from '@dmarc-ledger/vocabulary';
import { policyStrength, round } from './policy-strength.ts';
import { scoreOf, type MessageSums, type Score } from './score.ts';

export interface ScoredDomain<Facts> {
  facts: Facts;
  score: Score;
}

/** Each domain's score, the worst first; of equals the busiest, then by name. (rules, scores/order-of-domains) */
export function scoreDomains<Facts extends MessageSums & { domain: string; policy: EffectivePolicy | undefined }>(
  domains: readonly Facts[],
): ScoredDomain<Facts>[] {
  return domains
    .map((facts) => ({ facts, score: scoreOf(facts, policyStrength(facts.policy)) }))
    .toSorted(
      (a, b) =>
        a.score.score - b.score.score ||
        b.facts.messages - a.facts.messages ||
        (a.facts.domain < b.facts.domain ? -1 : 1),
    );
}

/**
 * The score of all together: rates of the summed messages, and the plain mean of the policies, for an open door is one
 * however little goes through it. A domain without messages in its window has no part in it. (rules, scores/score)
 */
export function scoreTogether(domains: readonly ScoredDomain<MessageSums>[]): Score & { sums: MessageSums } {
  const sums = { messages: 0, compliant: 0, spfPass: 0, dkimPass: 0 };
  const strengths: number[] = [];
  for (const { facts, score } of domains) {
    sums.messages += facts.messages;
    sums.compliant += facts.compliant;
    sums.spfPass += facts.spfPass;
    sums.dkimPass += facts.dkimPass;
    if (facts.messages > 0) strengths.push(score.policy);
  }
  const mean = strengths.reduce((sum, strength) => sum + strength, 0) / strengths.length;
  return { ...scoreOf(sums, strengths.length === 0 ? 0 : round(mean)), sums };
}
