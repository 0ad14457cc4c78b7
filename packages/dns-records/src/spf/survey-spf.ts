import { present } from '@dmarc-ledger/vocabulary';
import type { Ask, Found } from '../ask.ts';
import { recordsAt } from '../records/servers-differ.ts';
import { expandDomain } from './expand-domain.ts';
import { evaluatedOf, readSpf, type Mechanism, type Qualifier, type SpfRecord } from './read-spf.ts';

/** The totals of a record with all its includes. */
export interface SpfSurvey {
  /** Terms that need a lookup, over the whole tree. (RFC 7208, 4.6.4) */
  lookups: number;
  /** Lookups without a result. */
  voids: number;
  /** Why receivers treat it as an error. */
  fault: string | undefined;
  /** A name that was not answered, or whose servers have different records; then the totals are incomplete. */
  unconfirmed: string | undefined;
  usesPtr: boolean;
  /** How the record ends, and whether a term before that lets any sender pass. */
  outcome: Outcome;
}

/** What becomes of a sender that no one names. */
interface Outcome {
  /**
   * The qualifier of `all` in the record that applies, after redirects; undefined without one, and `depends` where the
   * message decides which record that is.
   */
  all: Qualifier | 'depends' | undefined;
  /** True if `all` is that of a record that `redirect` names. */
  isRedirected: boolean;
  /** Why any sender passes before that: a network that contains any, or an `include` that passes any. */
  open: 'wide' | 'included' | undefined;
}

/** A larger tree is not followed: it is invalid anyway, and every query costs others. */
const FOLLOWED = 20;
const MX_HOSTS = 10;
/** A network of a shorter prefix is one from which anybody may send. */
export const WIDE = { four: 8, six: 16 };

/** The texts that are SPF records: lower case, and nothing before. (RFC 7208, 4.5) */
export function spfCandidates(texts: readonly string[]): string[] {
  return texts.filter((text) => text === 'v=spf1' || text.startsWith('v=spf1 '));
}

/** Counts the lookups that a receiver may need in the worst case, over all reachable terms. */
export async function surveySpf(ask: Ask, domain: string, record: SpfRecord): Promise<SpfSurvey> {
  const survey: SpfSurvey = {
    lookups: 0,
    voids: 0,
    fault: undefined,
    unconfirmed: undefined,
    usesPtr: false,
    outcome: UNSAID,
  };
  survey.outcome = await walk({ ask, survey, path: [domain] }, record);
  return survey;
}

const UNSAID: Outcome = { all: undefined, isRedirected: false, open: undefined };

/** The evaluation of one record, with the domains from the first record to it. */
interface Walk {
  ask: Ask;
  survey: SpfSurvey;
  path: readonly string[];
}

async function walk(at: Walk, record: SpfRecord): Promise<Outcome> {
  const { survey, path } = at;
  let open: Outcome['open'];
  for (const mechanism of evaluatedOf(record)) {
    if (survey.fault !== undefined || survey.lookups > FOLLOWED) return { ...UNSAID, open };
    const passes = await evaluate(at, mechanism);
    if (mechanism.qualifier === '+') open ??= passes;
  }
  const all = record.mechanisms.find(({ name }) => name === 'all');
  if (all) return { all: all.qualifier, isRedirected: false, open }; // a redirect beside it is ignored (6.1)
  const { redirect } = record;
  if (redirect === undefined) return { ...UNSAID, open };
  survey.lookups += 1;
  const target = expandDomain(redirect, path);
  if (target === undefined) return { all: 'depends', isRedirected: true, open };
  const then = await follow(at, 'redirect', target);
  return { all: then.all, isRedirected: true, open: open ?? then.open };
}

/** Returns why the mechanism matches any sender, if it does. */
async function evaluate(at: Walk, mechanism: Mechanism): Promise<Outcome['open']> {
  const { ask, survey, path } = at;
  const { name, prefix = Infinity, lengths = { four: 32, six: 128 } } = mechanism;
  const target = expandDomain(mechanism.domain, path);
  switch (name) {
    case 'all':
      return undefined;
    case 'ip4':
    case 'ip6':
      return prefix < (name === 'ip4' ? WIDE.four : WIDE.six) ? 'wide' : undefined;
    case 'include': {
      survey.lookups += 1;
      if (target === undefined) return undefined;
      const { all, open } = await follow(at, 'include', target);
      return all === '+' || open ? 'included' : undefined; // it matches where the record passes (5.2)
    }
    case 'ptr':
      survey.lookups += 1;
      survey.usesPtr = true;
      return undefined;
    case 'a':
    case 'exists': {
      survey.lookups += 1;
      if (target === undefined) return undefined;
      const answer = await ask.addresses(target);
      note(survey, target, answer);
      if (answer.kind !== 'found') return undefined;
      return name === 'exists' || isWide(lengths) ? 'wide' : undefined; // exists: the sender's address is no part of it
    }
    case 'mx':
      survey.lookups += 1;
      if (target !== undefined) await evaluateMx(at, target);
      return isWide(lengths) ? 'wide' : undefined;
  }
}

function isWide({ four, six }: NonNullable<Mechanism['lengths']>): boolean {
  return four < WIDE.four || six < WIDE.six;
}

async function evaluateMx({ ask, survey }: Walk, target: string): Promise<void> {
  const servers = await ask.mailServers(target);
  note(survey, target, servers);
  if (servers.kind === 'found' && servers.values.length > MX_HOSTS)
    survey.fault ??= `${target} has more than ${MX_HOSTS} mail servers`;
}

/** Reads the record of another name. Without one there, evaluation fails. (RFC 7208, 5.2 and 6.1) */
async function follow(at: Walk, term: 'include' | 'redirect', target: string): Promise<Outcome> {
  const { ask, survey, path } = at;
  if (path.includes(target)) {
    survey.fault ??= `${term} of ${target} leads back to itself`;
    return UNSAID;
  }
  const answer = recordsAt(await ask.text(target), spfCandidates);
  note(survey, target, answer);
  if (answer.kind === 'unconfirmed') return UNSAID;
  const candidates = answer.kind === 'found' ? answer.values : [];
  const record = candidates.length === 1 ? readSpf(present(candidates[0])) : undefined;
  if (record && !('reason' in record)) return await walk({ ...at, path: [...path, target] }, record);
  survey.fault ??= record
    ? `${target}: ${record.reason}`
    : `${term} of ${target}, which has ${candidates.length === 0 ? 'no SPF record' : 'several SPF records'}`;
  return UNSAID;
}

function note(survey: SpfSurvey, name: string, answer: Found<unknown>): void {
  if (answer.kind === 'unconfirmed') survey.unconfirmed ??= name;
  if (answer.kind === 'none') survey.voids += 1;
}
