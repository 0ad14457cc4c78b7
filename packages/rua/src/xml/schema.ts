import { MAX_AUTH_RESULTS, MAX_ERRORS, MAX_REASONS } from '../limits.ts';
import type * as Raw from './raw-report.ts';

/** How one child element of a group is kept. */
export type Field =
  | { kind: 'text'; key: string; misspelled?: string }
  | { kind: 'texts'; key: string; max: number; overflow: string }
  | { kind: 'group'; key: string; group: Group; duplicate?: string; misspelled?: string }
  | { kind: 'groups'; key: string; group: Group; max: number; overflow: string }
  | { kind: 'record'; key: string; group: Group };

/** A known element with children: how to create an empty one, and which children it may have, by local name. */
export interface Group {
  create(): object;
  fields: ReadonlyMap<string, Field>;
  /** Where text directly inside the element goes. */
  contentKey?: string;
}

const text = (key: string): [string, Field] => [key, { kind: 'text', key }];
const texts = (...keys: string[]) => keys.map(text);
const one = (key: string, group: Group, duplicate?: string): [string, Field] => [
  key,
  { kind: 'group', key, group, duplicate },
];
const many = (key: string, group: Group, max: number, overflow: string): [string, Field] => [
  key,
  { kind: 'groups', key, group, max, overflow },
];

/** Checks at compile time that a group makes what its raw type says. */
function group<T extends object>(create: () => T, fields: [string, Field][], contentKey?: keyof T & string): Group {
  return { create, fields: new Map(fields), contentKey };
}

const reason = group<Raw.RawReason>(
  () => ({ type: null, comment: null, content: null }),
  texts('type', 'comment'),
  'content',
);

const policyEvaluated = group<Raw.RawPolicyEvaluated>(
  () => ({ disposition: null, dkim: null, spf: null, reason: null }),
  [...texts('disposition', 'dkim', 'spf'), many('reason', reason, MAX_REASONS, 'reason_many')],
);

const row = group<Raw.RawRow>(
  () => ({ source_ip: null, count: null, policy_evaluated: null }),
  [...texts('source_ip', 'count'), one('policy_evaluated', policyEvaluated)],
);

const identifiers = group<Raw.RawIdentifiers>(
  () => ({ header_from: null, envelope_from: null, envelope_to: null }),
  texts('header_from', 'envelope_from', 'envelope_to'),
);

const dkim = group<Raw.RawDkim>(
  () => ({ domain: null, selector: null, result: null, human_result: null }),
  texts('domain', 'selector', 'result', 'human_result'),
);

const spf = group<Raw.RawSpf>(
  () => ({ domain: null, scope: null, result: null, human_result: null }),
  texts('domain', 'scope', 'result', 'human_result'),
);

const authResults = group<Raw.RawAuthResults>(
  () => ({ dkim: null, spf: null }),
  [many('dkim', dkim, MAX_AUTH_RESULTS, 'dkim_many'), many('spf', spf, MAX_AUTH_RESULTS, 'spf_many')],
);

const record = group<Raw.RawRecord>(
  () => ({ row: null, identifiers: null, auth_results: null }),
  [
    one('row', row),
    one('identifiers', identifiers),
    ['identities', { kind: 'group', key: 'identifiers', group: identifiers, misspelled: 'identities_misspelled' }],
    one('auth_results', authResults),
  ],
);

const dateRange = group<Raw.RawDateRange>(() => ({ begin: null, end: null }), texts('begin', 'end'));

const metadata = group<Raw.RawMetadata>(
  () => ({
    org_name: null,
    email: null,
    extra_contact_info: null,
    report_id: null,
    date_range: null,
    error: null,
    generator: null,
  }),
  [
    ...texts('org_name', 'email', 'extra_contact_info', 'report_id', 'generator'),
    one('date_range', dateRange),
    ['data_range', { kind: 'group', key: 'date_range', group: dateRange, misspelled: 'element_unknown' }],
    ['error', { kind: 'texts', key: 'error', max: MAX_ERRORS, overflow: 'error_many' }],
  ],
);

const policy = group<Raw.RawPolicy>(
  () => ({
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
  }),
  [
    ...texts('domain', 'discovery_method', 'p', 'sp', 'np', 'adkim', 'aspf', 'pct', 'fo', 'testing', 'psd'),
    ['t', { kind: 'text', key: 'testing' }],
  ],
);

const extension = group<Raw.RawExtension>(() => ({}), []);

/** The root. (RFC 9990, appendix A) */
export const feedback = group<Raw.RawFeedback>(
  () => ({ version: null, report_metadata: null, policy_published: null, extension: null }),
  [
    text('version'),
    one('report_metadata', metadata),
    one('policy_published', policy, 'policy_multiple'),
    one('extension', extension),
    ['record', { kind: 'record', key: 'record', group: record }],
  ],
);
