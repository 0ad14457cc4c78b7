import type { DmarcPolicy } from '@dmarc-ledger/vocabulary';
import { round } from './policy-strength.ts';
import type { Score } from './score.ts';

export interface DomainVerdictFacts {
  score: Score;
  /** Undefined if no policy could be read. */
  policy: DmarcPolicy | undefined;
  messages: number;
  /** The newest report day; null before the first report. */
  newestDay: string | null;
  /** True if that is more than a week ago. */
  isStale: boolean;
}

const STRONG = 90;
const READY = 95;

/**
 * Describes a domain's figures in one sentence; the first that applies. (rules, scores/verdict-sentence-of-a-domain)
 */
export function domainVerdict({ score, policy, messages, newestDay, isStale }: DomainVerdictFacts): string {
  const { compliance } = score;
  if (newestDay === null) return 'No DMARC reports have arrived for this domain yet.';
  if (isStale) return `No reports since ${newestDay}; figures are from that time.`;
  if (messages === 0) return 'Reports arrive but show no mail from this domain.';
  if (score.score >= STRONG && policy === 'reject')
    return `Protected: ${compliance}% of mail passes DMARC and the rest is rejected.`;
  if (score.score >= STRONG) return `Strong: ${compliance}% of mail passes DMARC.`;
  if (policy === undefined) return 'No DMARC policy could be read.';
  if (policy === 'none' && compliance >= READY)
    return `Ready for enforcement: ${compliance}% of mail passes, but the policy is none.`;
  if (policy === 'none') return `Monitoring only: ${compliance}% of mail passes DMARC.`;
  switch (worstOf(score)) {
    case 'policy':
      return policy === 'quarantine' && score.policy === 75
        ? 'Failing mail is quarantined, not rejected.'
        : `The ${policy} policy covers only part of the mail.`;
    case 'compliance':
      return `${round(100 - compliance)}% of mail fails DMARC.`;
    case 'dkim':
      return `Only ${score.dkim}% of mail carries an aligned DKIM signature.`;
    case 'spf':
      return `Only ${score.spf}% of mail has aligned SPF.`;
  }
}

export interface OrgVerdictFacts {
  score: Score;
  hasData: boolean;
  domains: number;
  /** Domains whose policy is none or unknown. */
  unenforced: number;
}

/** Describes an organization's figures in one sentence. (rules, scores/verdict-sentence-of-an-organization) */
export function orgVerdict({ score, hasData, domains, unenforced }: OrgVerdictFacts): string {
  const { compliance } = score;
  if (!hasData) return 'No DMARC reports have arrived yet.';
  if (score.score >= STRONG && unenforced === 0)
    return `Your domains are protected: ${compliance}% of mail passes DMARC.`;
  if (score.score >= STRONG) return `Mail authentication is strong: ${compliance}% of mail passes DMARC.`;
  switch (worstOf(score)) {
    case 'policy':
      return unenforced === 0
        ? 'Policies are only partly enforced.'
        : `${unenforced} of ${domains} domains do not enforce DMARC yet.`;
    case 'compliance':
      return `${round(100 - compliance)}% of mail fails DMARC. Start with the failing sources.`;
    case 'dkim':
      return `Only ${score.dkim}% of mail carries an aligned DKIM signature.`;
    case 'spf':
      return `Only ${score.spf}% of mail has aligned SPF.`;
  }
}

const PARTS = ['compliance', 'policy', 'dkim', 'spf'] as const;

/** The smallest part; of equal ones the first in this order. */
function worstOf(score: Score): (typeof PARTS)[number] {
  return PARTS.reduce((worst, part) => (score[part] < score[worst] ? part : worst), PARTS[0]);
}
