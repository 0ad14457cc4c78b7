import { present, type CheckStatus, type SpfFacts } from '@dmarc-ledger/vocabulary';
import type { Ask, MailServer, ServerAnswer } from '../ask.ts';
import { strayNotes } from '../records/tag-list.ts';
import { readSpf } from '../spf/read-spf.ts';
import { exceededLimit } from '../spf/spf-faults.ts';
import { spfCandidates, surveySpf, type SpfSurvey } from '../spf/survey-spf.ts';
import { finding, missing, UNREACHABLE, type Check, type CheckContext, type Finding } from './check.ts';
import { doServersDiffer } from '../records/servers-differ.ts';
import { details } from './details.ts';

/** (RFC 7208; rules, domain-checks/spf-record) */
export const spfCheck: Check = {
  protocol: 'spf',
  names: (domain) => [domain],
  async run(ask, context) {
    const { domain } = context;
    const answer = await ask.text(domain);
    if (answer.kind === 'unconfirmed') return UNREACHABLE;
    const texts = answer.kind === 'found' ? answer.values : [];
    const records = spfCandidates(texts);
    if (records.length > 1) return finding('error', sentenceOfSeveral(records, answer.servers), { records });
    if (records.length === 0)
      return {
        ...(await judgeMissing(ask, context)),
        notes: strayNotes(texts, /^\W*v\s*=\s*spf1/i, 'v=spf1 and a space'),
      };
    const record = readSpf(present(records[0]));
    if ('reason' in record) return finding('error', details.spfBroken(record), { records });
    const survey = await surveySpf(ask, domain, record);
    const { status, sentence, cause } = judgeSpf(survey);
    const facts = { ...factsOf(survey), ...(cause && { cause }) };
    const notes = record.unknown.map(
      (term) => `receivers ignore ${term}, as terms have a colon: ${term.replace('=', ':')}`,
    );
    return finding(status, sentence, { records, notes, ...(survey.fault === undefined && { facts }) });
  },
};

function sentenceOfSeveral(records: readonly string[], servers: readonly ServerAnswer[] | undefined): string {
  return doServersDiffer(records, servers) ? details.spfSplit() : details.spfSeveral({ count: records.length });
}

/** A subdomain that neither sends nor takes mail needs no record. (rules, domain-checks/spf-record) */
async function judgeMissing(ask: Ask, { domain, organizationalDomain, hasMail }: CheckContext): Promise<Finding> {
  if (domain === organizationalDomain || hasMail) return missing(details.spfMissing());
  const servers = await ask.mailServers(domain);
  if (servers.kind === 'unconfirmed') return UNREACHABLE;
  const takesMail = servers.kind === 'found' && !servers.values.every(isNullMx);
  if (takesMail) return missing(details.spfMissing());
  return { status: 'unknown', details: details.spfNotNeeded(), hasRecord: false };
}

function isNullMx({ host }: MailServer): boolean {
  return host === '';
}

interface SpfJudgement {
  status: CheckStatus;
  sentence: string;
  cause?: SpfFacts['cause'];
}

/** A fault holds whatever else was not answered; without one, an unanswered query could hide one. */
function judgeSpf({ fault, unconfirmed, lookups, voids, outcome, usesPtr }: SpfSurvey): SpfJudgement {
  const { all, isRedirected, open } = outcome;
  if (fault !== undefined) return { status: 'error', sentence: details.spfBroken({ reason: fault }) };
  const limit = exceededLimit({ lookups, voids });
  if (limit === 'lookups') return { status: 'error', sentence: details.spfLookups({ count: lookups }) };
  if (limit === 'voids') return { status: 'error', sentence: details.spfVoids({ count: voids }) };
  if (unconfirmed !== undefined) return { status: 'unknown', sentence: UNREACHABLE.details };
  const warning = (sentence: string, cause: SpfFacts['cause']) => ({ status: 'warning' as const, sentence, cause });
  if (all === '+') return warning(details.spfOpen(), isRedirected ? 'redirected' : 'open');
  if (open) return warning(details.spfOpen(), open);
  if (all === '?' || all === undefined) return warning(details.spfUnsaid(), isRedirected ? 'redirected' : 'unsaid');
  if (usesPtr) return warning(details.spfPtr(), 'ptr');
  return { status: 'ok', sentence: details.spfGood({ count: lookups }) };
}

function factsOf({ lookups, voids, outcome }: SpfSurvey): SpfFacts {
  return { lookups, voids, isPermissive: outcome.all === '+' || outcome.open !== undefined };
}
