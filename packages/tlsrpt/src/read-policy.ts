import { countOf, isDomainName, isJsonObject, normalizeDomain, textField, textsField } from '@dmarc-ledger/vocabulary';
import type { Json, JsonObject, WarningList } from '@dmarc-ledger/vocabulary';
import { MAX_LINES, MAX_REMARK, MAX_TEXT } from './limits.ts';
import { readFailure } from './read-failure.ts';
import type { TlsFailure, TlsPolicy } from './report.ts';

const TYPES = new Set(['tlsa', 'sts', 'no-policy-found']);
const LINES = { items: MAX_LINES, length: MAX_REMARK };
const HOSTS = { items: MAX_LINES, length: MAX_TEXT };
/** Some reporters copy the whole line of the policy. */
const POLICY_KEY = /^mx:\s*/i;
const NOTHING: JsonObject = new Map();

/** One applied policy with its sessions. Undefined for an object without a policy and counts. */
export function readPolicy(json: Json, warnings: WarningList): TlsPolicy | undefined {
  const entry = isJsonObject(json) ? json : NOTHING;
  const policy = objectIn(entry, 'policy');
  const summary = objectIn(entry, 'summary');
  if (!policy && !summary) return void warnings.add('policy_invalid');
  return {
    type: readType(policy ?? NOTHING, warnings),
    lines: textsField(policy ?? NOTHING, 'policy-string', LINES, warnings),
    domain: readDomain(policy ?? NOTHING, warnings),
    mxHosts: textsField(policy ?? NOTHING, 'mx-host', HOSTS, warnings).map((host) => host.replace(POLICY_KEY, '')),
    successes:
      countOf(summary?.get('total-successful-session-count'), 'total-successful-session-count', warnings) ?? null,
    failures: countOf(summary?.get('total-failure-session-count'), 'total-failure-session-count', warnings) ?? null,
    details: readDetails(entry.get('failure-details'), warnings),
  };
}

function readType(policy: JsonObject, warnings: WarningList): string | null {
  const type = textField(policy, 'policy-type', MAX_TEXT, warnings)?.toLowerCase() ?? null;
  if (type === null) warnings.add('policy_type_missing');
  else if (!TYPES.has(type)) warnings.add('policy_type_unknown');
  return type;
}

function readDomain(policy: JsonObject, warnings: WarningList): string | null {
  const text = textField(policy, 'policy-domain', MAX_TEXT, warnings);
  const domain = text === null ? '' : normalizeDomain(text);
  if (domain === '') warnings.add('policy_domain_missing');
  else if (!isDomainName(domain)) warnings.add('policy_domain_invalid');
  return domain || null;
}

function readDetails(value: Json | undefined, warnings: WarningList): TlsFailure[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) warnings.add('list_expected', 'failure-details');
  const items = Array.isArray(value) ? value : [value];
  return items.flatMap((item) => readFailure(item, warnings) ?? []);
}

function objectIn(entry: JsonObject, name: string): JsonObject | undefined {
  const value = entry.get(name);
  return isJsonObject(value) ? value : undefined;
}
