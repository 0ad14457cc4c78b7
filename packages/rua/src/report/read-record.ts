import type { PolicyPublished, ReportRecord } from '@dmarc-ledger/dmarc';
import { readCount } from '../values/read-count.ts';
import { readIp } from '../values/read-ip.ts';
import type { Warn } from '../values/warn.ts';
import type { RawRecord } from '../xml/raw-report.ts';
import { readAuthResults } from './read-auth-results.ts';
import { readIdentifiers } from './read-identifiers.ts';
import { readPolicyEvaluated } from './read-policy-evaluated.ts';
import { hasTemplateLeak } from './template-leak.ts';

export interface RecordContext {
  policy: PolicyPublished;
  rfc9990: boolean;
}

/** One `<record>` (RFC 9990, 3.1.1.8). Undefined, with the reason warned, when its messages cannot be counted. */
export function readRecord(raw: RawRecord, { policy, rfc9990 }: RecordContext, warn: Warn): ReportRecord | undefined {
  if (!raw.row) return void warn('row_missing');
  if (hasTemplateLeak(raw)) return void warn('xml_template_leak');
  const ip = readIp(raw.row.source_ip, warn);
  const count = readCount(raw.row.count, warn);
  if (ip === undefined || count === undefined) return undefined;
  if (count === 0) warn('count_zero');
  const identifiers = readIdentifiers(raw.identifiers, policy.domain, warn);
  const authResults = readAuthResults(raw.auth_results, rfc9990, warn);
  const policyEvaluated = readPolicyEvaluated(
    raw.row.policy_evaluated,
    { identifiers, authResults, policy },
    rfc9990,
    warn,
  );
  return { sourceIp: ip.canonical, sourceIpText: ip.text, count, policyEvaluated, identifiers, authResults };
}
