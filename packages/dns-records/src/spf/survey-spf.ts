import { present } from '@dmarc-ledger/vocabulary';
import type { Ask, Found } from '../ask.ts';
import { readSpf, type Mechanism, type Qualifier, type SpfRecord } from './read-spf.ts';

/** The totals of a record with all its includes. */
export interface SpfSurvey {
  /** Terms that need a lookup, over the whole tree. (RFC 7208, 4.6.4) */
  lookups: number;
  /** Lookups without a result. */
  voids: number;
  /** Why receivers treat it as an error. */
  fault: string | undefined;
  /** A name that was not answered; then the totals are incomplete. */
  unconfirmed: string | undefined;
  usesPtr: boolean;
  /** True if a network is so wide that it contains any sender. */
  isWide: boolean;
  /** The qualifier of `all` in the record that applies, after redirects; undefined without one. */
  all: Qualifier | undefined;
}

/** A larger tree is not followed: it is invalid anyway, and every query costs others. */
const FOLLOWED = 20;
const MX_HOSTS = 10;
const WIDE = { ip4: 8, ip6: 16 };

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
    isWide: false,
    all: undefined,
  };
  survey.all = await walk({ ask, survey, domain, path: [domain] }, record);
  return survey;
}

/** The evaluation of one record: the domain that publishes it, and the domains from the first record to it. */
interface Walk {
  ask: Ask;
  survey: SpfSurvey;
  domain: string;
  path: readonly string[];
}

/** Returns the qualifier of the `all` that ends the record. */
async function walk(at: Walk, { mechanisms, redirect }: SpfRecord): Promise<Qualifier | undefined> {
  const { survey } = at;
  for (const mechanism of mechanisms) {
    if (survey.fault !== undefined || survey.lookups > FOLLOWED) return undefined;
    await evaluate(at, mechanism);
  }
  const all = mechanisms.find(({ name }) => name === 'all');
  if (all) return all.qualifier; // a redirect beside it is ignored (6.1)
  if (!redirect) return undefined;
  survey.lookups += 1;
  return redirect.hasMacro ? undefined : await follow(at, 'redirect', redirect.domain);
}

async function evaluate(at: Walk, mechanism: Mechanism): Promise<void> {
  const { ask, survey, domain } = at;
  const { name, prefix, hasMacro } = mechanism;
  const target = mechanism.domain ?? domain;
  switch (name) {
    case 'all':
      return;
    case 'ip4':
    case 'ip6':
      survey.isWide ||= mechanism.qualifier === '+' && prefix !== undefined && prefix < WIDE[name];
      return;
    case 'include':
      survey.lookups += 1;
      if (!hasMacro) await follow(at, 'include', target);
      return;
    case 'ptr':
      survey.lookups += 1;
      survey.usesPtr = true;
      return;
    case 'a':
    case 'exists':
      survey.lookups += 1;
      if (!hasMacro) note(survey, target, await ask.addresses(target));
      return;
    case 'mx':
      survey.lookups += 1;
      if (!hasMacro) await evaluateMx(at, target);
  }
}

async function evaluateMx({ ask, survey }: Walk, target: string): Promise<void> {
  const servers = await ask.mailServers(target);
  note(survey, target, servers);
  if (servers.kind === 'found' && servers.values.length > MX_HOSTS)
    survey.fault ??= `${target} has more than ${MX_HOSTS} mail servers`;
}

/** Reads the record of another name. Without one there, evaluation fails. (RFC 7208, 5.2 and 6.1) */
async function follow(at: Walk, term: 'include' | 'redirect', target: string): Promise<Qualifier | undefined> {
  const { ask, survey, path } = at;
  if (path.includes(target)) {
    survey.fault ??= `${term} of ${target} leads back to itself`;
    return undefined;
  }
  const answer = await ask.text(target);
  note(survey, target, answer);
  if (answer.kind === 'unconfirmed') return undefined;
  const candidates = spfCandidates(answer.kind === 'found' ? answer.values : []);
  const record = candidates.length === 1 ? readSpf(present(candidates[0])) : undefined;
  if (record && !('reason' in record)) return await walk({ ...at, domain: target, path: [...path, target] }, record);
  survey.fault ??= record
    ? `${target}: ${record.reason}`
    : `${term} of ${target}, which has ${candidates.length === 0 ? 'no SPF record' : 'several SPF records'}`;
  return undefined;
}

function note(survey: SpfSurvey, name: string, answer: Found<unknown>): void {
  if (answer.kind === 'unconfirmed') survey.unconfirmed ??= name;
  if (answer.kind === 'none') survey.voids += 1;
}
