import { isLocked, type LockFacts } from './locked.ts';
import { policyStrength, round } from './policy-strength.ts';
import { scoreOf, type MessageSums, type Score } from './score.ts';

export interface ScoredDomain<Facts> {
  facts: Facts;
  score: Score;
}

/**
 * Scores each domain and sorts by score, the worst first; equal scores by messages, then by name. (rules,
 * scores/order-of-domains)
 */
export function scoreDomains<Facts extends MessageSums & LockFacts & { domain: string }>(
  domains: readonly Facts[],
): ScoredDomain<Facts>[] {
  return domains
    .map((facts) => ({ facts, score: scoreOf(facts, policyStrength(facts.policy), { isLocked: isLocked(facts) }) }))
    .toSorted(
      (a, b) =>
        a.score.score - b.score.score ||
        b.facts.messages - a.facts.messages ||
        (a.facts.domain < b.facts.domain ? -1 : 1),
    );
}

/**
 * The score of all domains together: rates of the summed messages, and the plain mean of the policies, as an
 * unprotected domain is a risk however little mail it sends. Domains without messages in their window are left out.
 * (rules, scores/score)
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
