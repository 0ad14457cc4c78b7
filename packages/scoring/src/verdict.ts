import { counted, groupedDigits, type EffectivePolicy } from '@dmarc-ledger/vocabulary';
import { isFullyApplied } from './locked.ts';
import { round } from './policy-strength.ts';
import { WEIGHTS, type Score } from './score.ts';

export interface DomainVerdictFacts {
  score: Score;
  /** Undefined if no policy could be read. */
  policy: EffectivePolicy | undefined;
  /** Messages in the scoring window, and those of them that fail. */
  messages: number;
  failing: number;
  /** The newest report day up to today; null before the first report. */
  newestDay: string | null;
  /** True if that is more than a week ago. */
  isStale: boolean;
  /** True if every report is dated after today. */
  isAhead: boolean;
  isLocked: boolean;
  /** True if there is enough to judge by, and one valid record. */
  isReady: boolean;
  /** What is wrong with the published DMARC record: the sentence of its check. */
  recordFault: string | undefined;
}

const STRONG = 90;
const READY = 98;
const MOST = 95;
const AHEAD = 'Reports arrive, but they are dated after today.';

/** A sentence, and the facts for which it is shown. */
type Verdict<Facts> = readonly [holds: (facts: Facts) => boolean, say: (facts: Facts) => string];

const whenPolicy = (p: string) => (facts: DomainVerdictFacts) => facts.policy?.p === p;
const isStrong = ({ score }: { score: Score }) => score.score >= STRONG;
const isRejected = ({ policy }: DomainVerdictFacts) => policy?.p === 'reject' && isFullyApplied(policy);
const isQuarantined = ({ policy }: DomainVerdictFacts) =>
  policy?.p === 'quarantine' && isFullyApplied(policy) && policy.sp !== 'none';
const worst = (part: Part) => (facts: { score: Score }) => worstOf(facts.score) === part;
const mostPasses = ({ score }: { score: Score }) => score.compliance >= MOST;
const subdomainsOf = (policy: EffectivePolicy | undefined) => policy?.sp ?? policy?.p;
const share = (rate: number) => (rate === 0 ? 'none of it' : `only ${rate}%`);
const byDkim = ({ score }: { score: Score }) =>
  `${score.compliance}% of mail passes DMARC, but ${share(score.dkim)} by an aligned DKIM signature.`;
const bySpf = ({ score }: { score: Score }) =>
  `${score.compliance}% of mail passes DMARC, but ${share(score.spf)} by aligned SPF.`;
const onlyDkim = ({ score }: { score: Score }) =>
  score.dkim === 0
    ? 'No mail carries an aligned DKIM signature.'
    : `Only ${score.dkim}% of mail carries an aligned DKIM signature.`;
const onlySpf = ({ score }: { score: Score }) =>
  score.spf === 0 ? 'No mail has aligned SPF.' : `Only ${score.spf}% of mail has aligned SPF.`;

/** The first sentence that holds describes a domain. (rules, scores/verdict-sentence-of-a-domain) */
export const domainVerdicts: readonly Verdict<DomainVerdictFacts>[] = [
  [({ newestDay, isAhead }) => newestDay === null && isAhead, () => AHEAD],
  [({ newestDay }) => newestDay === null, () => 'No DMARC reports have arrived for this domain yet.'],
  [
    ({ isLocked, policy }) => isLocked && subdomainsOf(policy) !== 'reject',
    ({ policy }) => `Locked, except for its subdomains: the policy for them is ${subdomainsOf(policy)}.`,
  ],
  [
    ({ isLocked, failing }) => isLocked && failing === 0,
    () => 'Locked: it sends no mail, and receivers are asked to reject all of it.',
  ],
  [
    ({ isLocked }) => isLocked,
    ({ failing }) => `Locked: it sends no mail; receivers were asked to reject ${counted(failing, 'forged message')}.`,
  ],
  [({ recordFault }) => recordFault !== undefined, ({ recordFault }) => recordFault ?? ''],
  [({ isStale }) => isStale, ({ newestDay }) => `No reports since ${newestDay}; figures are from that time.`],
  [({ messages }) => messages === 0, () => 'Reports arrive but show no mail from this domain.'],
  [
    (facts) => isStrong(facts) && isRejected(facts) && facts.score.compliance === 100,
    () => 'Protected: all mail passes DMARC.',
  ],
  [
    (facts) => isStrong(facts) && isRejected(facts),
    ({ score }) => `Protected: ${score.compliance}% of mail passes DMARC, and receivers are asked to reject the rest.`,
  ],
  [isStrong, ({ score }) => `Strong: ${score.compliance}% of mail passes DMARC.`],
  [({ policy }) => policy === undefined, () => 'No DMARC policy could be read.'],
  [
    (facts) => whenPolicy('none')(facts) && facts.isReady && facts.score.compliance >= READY,
    ({ score }) => `Ready for enforcement: ${score.compliance}% of mail passes, but the policy is none.`,
  ],
  [whenPolicy('none'), ({ score }) => `Monitoring only: ${score.compliance}% of mail passes DMARC.`],
  [(facts) => worst('policy')(facts) && isQuarantined(facts), () => 'Failing mail is quarantined, not rejected.'],
  [worst('policy'), ({ policy }) => `The ${policy?.p} policy covers only part of the mail.`],
  [worst('compliance'), ({ score }) => `${round(100 - score.compliance)}% of mail fails DMARC.`],
  [(facts) => worst('dkim')(facts) && mostPasses(facts), byDkim],
  [worst('dkim'), onlyDkim],
  [mostPasses, bySpf],
  [() => true, onlySpf],
];

export interface OrgVerdictFacts {
  score: Score;
  /** True if there is any report, also if all are dated after today. */
  hasReports: boolean;
  /** Domains with a score. */
  domains: number;
  /** Domains whose policy is none or unknown. */
  unenforced: number;
}

/** The first sentence that holds describes an organization. (rules, scores/verdict-sentence-of-an-organization) */
export const orgVerdicts: readonly Verdict<OrgVerdictFacts>[] = [
  [({ hasReports }) => !hasReports, () => 'No DMARC reports have arrived yet.'],
  [({ domains }) => domains === 0, () => AHEAD],
  [
    (facts) => isStrong(facts) && facts.unenforced === 0,
    ({ score }) => `Your domains are protected: ${score.compliance}% of mail passes DMARC.`,
  ],
  [isStrong, ({ score }) => `Mail authentication is strong: ${score.compliance}% of mail passes DMARC.`],
  [(facts) => worst('policy')(facts) && facts.unenforced === 0, () => 'Policies are only partly enforced.'],
  [
    worst('policy'),
    ({ unenforced, domains }) =>
      `${groupedDigits(unenforced)} of ${counted(domains, 'domain')} ${unenforced === 1 ? 'does' : 'do'} not enforce ` +
      `DMARC yet.`,
  ],
  [
    worst('compliance'),
    ({ score }) => `${round(100 - score.compliance)}% of mail fails DMARC. Start with the failing sources.`,
  ],
  [(facts) => worst('dkim')(facts) && mostPasses(facts), byDkim],
  [worst('dkim'), onlyDkim],
  [mostPasses, bySpf],
  [() => true, onlySpf],
];

/** Describes a domain's figures in one sentence. */
export function domainVerdict(facts: DomainVerdictFacts): string {
  return sentenceOf(domainVerdicts, facts);
}

/** Describes an organization's figures in one sentence. */
export function orgVerdict(facts: OrgVerdictFacts): string {
  return sentenceOf(orgVerdicts, facts);
}

function sentenceOf<Facts>(verdicts: readonly Verdict<Facts>[], facts: Facts): string {
  return verdicts.find(([holds]) => holds(facts))?.[1](facts) ?? '';
}

const PARTS = ['compliance', 'policy', 'dkim', 'spf'] as const;
type Part = (typeof PARTS)[number];

/** The part that costs the score most; of equal ones the first in this order. */
function worstOf(score: Score): Part {
  const loss = (part: Part) => Math.round(WEIGHTS[part] * (100 - score[part]) * 1e6); // free of rounding errors
  return PARTS.reduce((found, part) => (loss(part) > loss(found) ? part : found), PARTS[0]);
}
