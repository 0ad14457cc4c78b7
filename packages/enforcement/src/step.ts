import type { DmarcPolicy } from '@dmarc-ledger/vocabulary';

/** The changes of a DMARC record whose effect is computed, in the order in which they are usually made. */
export const enforcementSteps = ['quarantine', 'reject', 'sp_reject', 'np_reject', 'strict'] as const;
export type EnforcementStep = (typeof enforcementSteps)[number];

/** The From domain of mail in relation to the policy domain: itself, one below it, or one that does not exist. */
export type Scope = 'domain' | 'subdomain' | 'absent';

/**
 * What became of a message: it failed and the receiver did nothing, quarantined or rejected it; or it passed, and
 * would fail or still pass under strict alignment.
 */
export type Fate = 'none' | 'quarantine' | 'reject' | 'relaxed' | 'strict';

/** Messages of one scope and fate; with their address where a step can affect them. */
export interface MailGroup {
  scope: Scope;
  fate: Fate;
  address: string | null;
  messages: number;
}

export interface StepRule {
  /** The mail that the step's policy applies to. */
  scopes: readonly Scope[];
  /** Of that, the mail that it would newly affect. */
  affects: readonly Fate[];
  /** The change of the record. */
  tags: string;
  /** What receivers would do to the affected mail, as a participle. */
  done: string;
}

const ALL: readonly Scope[] = ['domain', 'subdomain', 'absent'];

/**
 * A disposition is weaker than a step's when it stands before it: none, quarantine, reject. (rules, enforcement/steps)
 */
export const stepRules: { readonly [step in EnforcementStep]: StepRule } = {
  quarantine: { scopes: ['domain'], affects: ['none'], tags: 'p=quarantine', done: 'quarantined' },
  reject: { scopes: ['domain'], affects: ['none', 'quarantine'], tags: 'p=reject', done: 'rejected' },
  sp_reject: { scopes: ['subdomain'], affects: ['none', 'quarantine'], tags: 'sp=reject', done: 'rejected' },
  np_reject: { scopes: ['absent'], affects: ['none', 'quarantine'], tags: 'np=reject', done: 'rejected' },
  strict: { scopes: ALL, affects: ['relaxed'], tags: 'adkim=s; aspf=s', done: 'made to fail' },
};

/**
 * The mail that the verdict on a step rests on. `sp` is asked for names that do not exist too: by receivers that know
 * no `np`, and by all where the record has none. Where `quarantine` is the next step, what was quarantined in test mode
 * or under a former policy shows what the step does, though it is not newly affected. (RFC 7489, 6.3; RFC 9989, 4.7;
 * rules, enforcement/verdict)
 */
export function judgedMail(step: EnforcementStep): Pick<StepRule, 'scopes' | 'affects'> {
  const { scopes, affects } = stepRules[step];
  if (step === 'quarantine') return { scopes, affects: ['none', 'quarantine'] };
  return { scopes: step === 'sp_reject' ? [...scopes, 'absent'] : scopes, affects };
}

/** True for mail that failed DMARC. */
export function isFailing(fate: Fate): boolean {
  return fate !== 'relaxed' && fate !== 'strict';
}

/** The policy tags of a record, or of the newest report; null for what is not published. */
export interface PublishedPolicy {
  p: DmarcPolicy | null;
  sp: DmarcPolicy | null;
  np: DmarcPolicy | null;
  adkim: 'r' | 's' | null;
  aspf: 'r' | 's' | null;
}
