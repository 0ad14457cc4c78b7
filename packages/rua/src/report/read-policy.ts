import { isDomainName, codesOf, dmarcPolicies } from '@dmarc-ledger/vocabulary';
import type { AlignmentMode, Policy, PolicyPublished } from '@dmarc-ledger/dmarc';
import { ReportError } from '../errors.ts';
import { readDomain } from '../values/read-domain.ts';
import { words, type Words } from '../values/read-enum.ts';
import { readText } from '../values/read-text.ts';
import type { Warn } from '../values/warn.ts';
import type { RawPolicy } from '../xml/raw-report.ts';

const POLICIES = words<Policy>(codesOf(dmarcPolicies));
const MODES = words<AlignmentMode>(['r', 's'], {
  relaxed: { value: 'r', code: 'policy_mode_invalid' },
  strict: { value: 's', code: 'policy_mode_invalid' },
});
const FLAGS = words<'y' | 'n'>(['y', 'n']);
const METHODS = words<'treewalk' | 'psl'>(['treewalk', 'psl']);
const NOTHING: RawPolicy = {
  domain: null,
  discovery_method: null,
  p: null,
  sp: null,
  np: null,
  adkim: null,
  aspf: null,
  pct: null,
  fo: null,
  testing: null,
  psd: null,
};

/**
 * `policy_published` (RFC 9990, 3.1.1.4; rules, reading-reports/policy-published). `fallback` is the domain that the
 * rest of the document agrees on, for a report that does not name its own.
 */
export function readPolicy(raw: RawPolicy | null, fallback: string | null, warn: Warn): PolicyPublished {
  const policy = raw ?? NOTHING;
  return {
    domain: readPolicyDomain(raw, fallback, warn),
    adkim: optional(policy.adkim, MODES, 'policy_mode_invalid', warn) ?? 'r',
    aspf: optional(policy.aspf, MODES, 'policy_mode_invalid', warn) ?? 'r',
    p: readRequestedPolicy(policy.p, warn),
    sp: optional(policy.sp, POLICIES, 'policy_sp_unknown', warn),
    np: optional(policy.np, POLICIES, 'policy_np_invalid', warn),
    pct: readPct(policy.pct, warn),
    fo: readText(policy.fo, 'fo', warn),
    testing: optional(policy.testing, FLAGS, 'policy_testing_invalid', warn),
    psd: optional(policy.psd, FLAGS, null, warn),
    discoveryMethod: optional(policy.discovery_method, METHODS, 'policy_discovery_invalid', warn),
  };
}

function readPolicyDomain(raw: RawPolicy | null, fallback: string | null, warn: Warn): string {
  const field = readDomain(raw?.domain ?? null, 'domain', warn);
  if (field?.domain) {
    if (!isDomainName(field.domain)) {
      throw new ReportError('domain_invalid', 'the policy domain of the report is not a domain name');
    }
    // eslint-disable-next-line no-control-regex -- the ASCII range is what is asked for
    if (/[^\x00-\x7f]/.test(raw?.domain ?? '')) warn('policy_domain_invalid', 'written as a U-label');
    return field.domain;
  }
  const code = raw ? 'policy_domain_missing' : 'policy_published_missing';
  if (fallback === null) throw new ReportError(code, 'the report does not say which domain it is about');
  warn(code, `taken to be ${fallback}`);
  return fallback;
}

function readRequestedPolicy(raw: string | null, warn: Warn): Policy {
  const text = raw?.trim().toLowerCase() ?? '';
  const found = POLICIES.get(text);
  if (!found) warn(text === '' ? 'policy_p_missing' : 'policy_p_invalid');
  return found?.value ?? 'none';
}

/** Null for an absent or empty element, and for an unknown word, which is warned about. */
function optional<T extends string>(raw: string | null, table: Words<T>, invalid: string | null, warn: Warn): T | null {
  const text = raw?.trim().toLowerCase() ?? '';
  if (text === '') return null;
  const found = table.get(text);
  const code = found ? found.code : invalid;
  if (code) warn(code);
  return found?.value ?? null;
}

function readPct(raw: string | null, warn: Warn): number | null {
  const text = raw?.trim() ?? '';
  if (text === '') return null;
  if (/^\d{1,3}$/.test(text) && Number(text) <= 100) return Number(text);
  warn('policy_pct_invalid');
  const number = Number.parseFloat(text);
  return Number.isNaN(number) ? null : Math.min(100, Math.max(0, Math.floor(number)));
}
