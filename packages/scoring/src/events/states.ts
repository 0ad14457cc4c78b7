import { verificationStates, present } from '@dmarc-ledger/vocabulary';
import { isConfirmed, type CheckFact, type Judged, type SeenRecords } from './checks.ts';
import { eventTexts } from './event-texts.ts';
import { holding, keyOf, type Judgement } from './judgement.ts';

const subjects = [
  { subject: 'dmarc_state', lost: 'dmarc_verification_lost', protocol: 'dmarc', reporting: 'DMARC', record: 'DMARC' },
  {
    subject: 'tlsrpt_state',
    lost: 'tlsrpt_verification_lost',
    protocol: 'tls_rpt',
    reporting: 'TLS-RPT',
    record: 'TLS-RPT',
  },
  {
    subject: 'forensic_state',
    lost: 'forensic_verification_lost',
    protocol: 'dmarc',
    reporting: 'DMARC failure',
    record: 'DMARC',
  },
  { subject: 'aprf_state', lost: 'aprf_verification_lost', protocol: 'aprf', reporting: 'APRF', record: 'APRF' },
] as const;

const BAD: ReadonlySet<string> = new Set(['not_published', 'published_not_ours', 'multiple_records']);
const GOOD: ReadonlySet<string> = new Set(['verified', 'verified_inherited']);

/**
 * Judges whether reports still reach us. A check that could not confirm the state changes nothing; a loss counts once
 * two checks have found it; a domain verified from the start is no gain. (rules, events/verification-changes)
 */
export function judgeStates(domain: string, checks: ReadonlyMap<string, CheckFact>, seen: SeenRecords): Judged {
  const states = { ...seen.states };
  const judgements = subjects.flatMap((subject) => {
    const check = checks.get(subject.subject);
    if (!check?.isAnswered || !(BAD.has(check.status) || GOOD.has(check.status))) return [];
    const before = states[subject.subject];
    const { next, raised } = GOOD.has(check.status)
      ? gained(domain, subject, check, before)
      : lost(domain, subject, check, before);
    states[subject.subject] = next;
    return raised;
  });
  return { judgements, seen: { ...seen, states } };
}

type Subject = (typeof subjects)[number];
type Before = NonNullable<SeenRecords['states']>[string] | undefined;
interface Step {
  next: NonNullable<Before>;
  raised: Judgement[];
}

function gained(
  domain: string,
  { lost, protocol, reporting, subject }: Subject,
  check: CheckFact,
  before: Before,
): Step {
  const isGain = before !== undefined && !GOOD.has(before.state);
  const gain = holding('verification_gained', {
    domain,
    protocol,
    parts: [domain, subject.replace('_state', '')],
    message: eventTexts.gained({ reporting, domain }),
    occurrence: check.changedAt.toISOString(),
  });
  const raised: Judgement[] = [{ state: 'over', key: keyOf(lost, domain) }, ...(isGain ? [gain] : [])];
  return { next: { state: check.status }, raised };
}

function lost(domain: string, { lost: type, protocol, record }: Subject, check: CheckFact, before: Before): Step {
  const isLost = before?.isLost === true;
  if (before === undefined || !(GOOD.has(before.state) || isLost)) return { next: { state: check.status }, raised: [] };
  const badSince = before.badSince === undefined ? check.changedAt : new Date(before.badSince);
  if (!isLost && !isConfirmed({ checkedAt: check.checkedAt, changedAt: badSince }))
    return { next: { ...before, badSince: badSince.toISOString() }, raised: [] };
  // the state is one of the bad ones
  const label = present(verificationStates.find(({ code }) => code === check.status)).label;
  const message = eventTexts.lost({ record, domain, state: label });
  return { next: { state: check.status, isLost: true }, raised: [holding(type, { domain, protocol, message })] };
}
