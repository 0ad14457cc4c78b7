import { present, type CheckStatus } from '@dmarc-ledger/vocabulary';
import { readSpf } from '../spf/read-spf.ts';
import { spfCandidates, surveySpf, type SpfSurvey } from '../spf/survey-spf.ts';
import { finding, missing, UNREACHABLE, type Check, type SpfFacts } from './check.ts';

const LOOKUPS = 10;
const VOIDS = 2;

/** (RFC 7208; rules, domain-checks/spf-record) */
export const spfCheck: Check = {
  protocol: 'spf',
  async run(ask, { domain }) {
    const answer = await ask.text(domain);
    if (answer.kind === 'unconfirmed') return UNREACHABLE;
    const records = spfCandidates(answer.kind === 'found' ? answer.values : []);
    if (records.length > 1)
      return finding('error', `${records.length} SPF records are published; receivers treat this as an error.`, {
        records,
      });
    if (records.length === 0) return missing('No SPF record is published.');
    const record = readSpf(present(records[0]));
    if ('reason' in record) return finding('error', cannotBeParsed(record.reason), { records });
    const survey = await surveySpf(ask, domain, record);
    const [status, details] = judgeSpf(survey);
    return finding(status, details, { records, ...(survey.fault === undefined && { facts: factsOf(survey) }) });
  },
};

/** A fault holds whatever else was not answered; without one, an unanswered query could hide one. */
function judgeSpf({ fault, unconfirmed, lookups, voids, all, isWide, usesPtr }: SpfSurvey): [CheckStatus, string] {
  if (fault !== undefined) return ['error', cannotBeParsed(fault)];
  if (lookups > LOOKUPS || voids > VOIDS)
    return ['error', `The SPF record needs ${lookups} DNS lookups; the limit is ${LOOKUPS}.`];
  if (unconfirmed !== undefined) return ['unknown', UNREACHABLE.details];
  if (all === '+' || isWide) return ['warning', 'The SPF record allows any server to send.'];
  if (all === '?' || all === undefined)
    return ['warning', 'The SPF record does not say what to do with other servers.'];
  if (usesPtr) return ['warning', 'The SPF record uses the deprecated ptr mechanism.'];
  return ['ok', `The SPF record is valid and uses ${lookups} of ${LOOKUPS} DNS lookups.`];
}

function factsOf({ lookups, voids, all, isWide }: SpfSurvey): SpfFacts {
  return { lookups, voids, isPermissive: all === '+' || isWide };
}

function cannotBeParsed(reason: string): string {
  return `The SPF record cannot be parsed: ${reason}.`;
}
