import type { AuthResults, DkimResult, DkimResultValue, SpfResult, SpfResultValue } from '@dmarc-ledger/dmarc';
import { MAX_STORED_REMARK } from '../limits.ts';
import { readDomain } from '../values/read-domain.ts';
import { readEnum, words } from '../values/read-enum.ts';
import { readText } from '../values/read-text.ts';
import type { Warn } from '../values/warn.ts';
import type { RawAuthResults, RawDkim, RawSpf } from '../xml/raw-report.ts';

const DKIM_RESULTS = words<DkimResultValue>(['none', 'pass', 'fail', 'policy', 'neutral', 'temperror', 'permerror'], {
  hardfail: { value: 'fail', code: 'dkim_result_invalid' },
  error: { value: 'permerror', code: 'dkim_result_invalid' },
  invalid: { value: 'permerror', code: 'dkim_result_invalid' },
  unknown: { value: 'temperror', code: 'dkim_result_invalid' },
});
const SPF_RESULTS = words<SpfResultValue>(['none', 'neutral', 'pass', 'fail', 'softfail', 'temperror', 'permerror'], {
  hardfail: { value: 'fail', code: 'spf_result_hardfail' },
  unknown: { value: 'temperror', code: 'spf_result_unknown' },
  error: { value: 'permerror', code: 'spf_result_error' },
  policy: { value: 'neutral', code: 'spf_result_invalid' },
});
const SCOPES = words<'mfrom' | 'helo'>(['mfrom', 'helo']);
/** Values that some reporters write where a signature was not evaluated. */
const PLACEHOLDER = 'not.evaluated';

/**
 * Raw SPF and DKIM results (RFC 9990, 3.1.1.12 and 3.1.1.13; rules, reading-reports/results), in the reporter's order.
 */
export function readAuthResults(raw: RawAuthResults | null, rfc9990: boolean, warn: Warn): AuthResults {
  if (!raw?.dkim && !raw?.spf) {
    warn('auth_results_missing');
    return { dkim: null, spf: null };
  }
  if (!raw.spf && !rfc9990) warn('spf_missing');
  if (raw.spf && raw.spf.length > 1 && rfc9990) warn('spf_multiple');
  return {
    dkim: raw.dkim?.map((result) => readDkim(result, rfc9990, warn)) ?? null,
    spf: raw.spf?.map((result) => readSpf(result, rfc9990, warn)) ?? null,
  };
}

function readDkim(raw: RawDkim, rfc9990: boolean, warn: Warn): DkimResult {
  const domain = readDomain(raw.domain, 'dkim domain', warn)?.domain || null;
  if (domain === null) warn('dkim_domain_missing');
  if (domain === PLACEHOLDER) warn('dkim_domain_placeholder');
  if (raw.selector === null && rfc9990) warn('dkim_selector_missing');
  return {
    domain,
    selector: readText(raw.selector, 'selector', warn),
    result: domain === PLACEHOLDER ? 'none' : readDkimResult(raw.result, warn),
    humanResult: readText(raw.human_result, 'human_result', warn, MAX_STORED_REMARK),
  };
}

function readDkimResult(raw: string | null, warn: Warn): DkimResultValue {
  const text = raw?.trim() ?? '';
  const value = text === '' ? undefined : readEnum(text, DKIM_RESULTS, warn);
  if (value === undefined) warn(text === '' ? 'dkim_result_missing' : 'dkim_result_invalid');
  return value ?? 'none';
}

function readSpf(raw: RawSpf, rfc9990: boolean, warn: Warn): SpfResult {
  const domain = readDomain(raw.domain, 'spf domain', warn)?.domain || null;
  if (domain === null) warn('spf_domain_empty');
  return {
    domain,
    scope: readScope(raw.scope, rfc9990, warn),
    result: readSpfResult(raw.result, warn),
    humanResult: readText(raw.human_result, 'human_result', warn, MAX_STORED_REMARK),
  };
}

function readScope(raw: string | null, rfc9990: boolean, warn: Warn): 'mfrom' | 'helo' | null {
  const text = raw?.trim() ?? '';
  if (text === '') return null;
  const scope = readEnum(text, SCOPES, warn);
  if (scope === undefined) warn('spf_scope_invalid');
  if (scope === 'helo' && rfc9990) warn('spf_scope_helo_9990');
  return scope ?? null;
}

function readSpfResult(raw: string | null, warn: Warn): SpfResultValue {
  const text = raw?.trim() ?? '';
  const value = text === '' ? undefined : readEnum(text, SPF_RESULTS, warn);
  if (value === undefined) warn(text === '' ? 'spf_result_missing' : 'spf_result_invalid');
  return value ?? 'none';
}
