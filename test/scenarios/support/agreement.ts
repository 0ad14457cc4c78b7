import { expect } from 'vitest';
import type { HealthAnswer, OverviewAnswer, ScoreAnswer } from './answers.ts';

interface Answered {
  domain: string;
  health: HealthAnswer;
  score: ScoreAnswer;
  overview: OverviewAnswer;
  sources: readonly { total_messages: number }[];
  totals: { total_messages: number };
}

/** What several endpoints say of a domain is the same, and a score follows from the figures beside it. */
export function expectAgreement({ domain, health, score, overview, sources, totals }: Answered): void {
  const card = overview.domain_cards.find((one) => one.domain === domain);
  if (card) {
    const { overall_score, grade, verdict } = health;
    expect({ score: card.score, grade: card.grade, verdict: card.verdict }).toEqual({
      score: overall_score,
      grade,
      verdict,
    });
  }
  expect(health.overall_score).toBe(Math.floor(score.overall_score));
  expect(health.grade).toBe(score.grade);
  expect(health.total_messages).toBe(score.total_messages);
  expect(health.compliance).toMatchObject({
    rate: score.compliance_rate,
    spf_pass: score.spf_pass_rate,
    dkim_pass: score.dkim_pass_rate,
  });
  const { compliance_rate, spf_pass_rate, dkim_pass_rate, policy_strength } = score;
  const formula = 0.4 * compliance_rate + 0.2 * (spf_pass_rate + dkim_pass_rate + policy_strength);
  if (!health.verdict.startsWith('Locked') && score.grade !== 'N/A')
    expect(score.overall_score).toBeCloseTo(formula, 1);
  expect(sources.reduce((sum, source) => sum + source.total_messages, 0)).toBe(totals.total_messages);
}
