import {
  actionItemSeverities,
  codesOf,
  fieldsOf,
  type AlertCode,
  type DkimKeyKind,
  type DmarcPolicy,
  type EventSeverity,
  type Link,
  type Place,
} from '@dmarc-ledger/vocabulary';
import { adviceOf } from './event-advice.ts';
import { neededKeys, repeatedBy, type GapFinding, type GapProtocol } from './gap-events.ts';

export type ItemSeverity = 'high' | 'medium' | 'low';

/** The facts about a domain that decide its action items. */
export interface GapFacts {
  domain: string;
  findings: { readonly [protocol in GapProtocol]?: GapFinding };
  policy: DmarcPolicy | undefined;
  /** All of the failing mail is quarantined or rejected, that of subdomains too. */
  isEnforced: boolean;
  messages: number;
  score: number;
  /** A domain that sends no mail needs no logo. */
  isLocked: boolean;
  hasMailServers: boolean;
}

export interface ActionItem {
  type: string;
  severity: ItemSeverity;
  title: string;
  suggested_action: string;
  cta_label: string;
  /** Where it is resolved. */
  link: Link;
}

/** The item of a gap, and the types of events that only repeat it. */
export interface Gap {
  item: ActionItem;
  repeated: readonly AlertCode[];
}

type Row = readonly [
  protocol: GapProtocol,
  holds: (finding: GapFinding, facts: GapFacts) => boolean,
  severity: ItemSeverity,
  title: string,
  action: string,
  label: string,
];

const error = ({ status }: GapFinding) => status === 'error';
const warning = ({ status }: GapFinding) => status === 'warning';
/** SPF: why a record is too permissive. Findings that were stored before this was recorded have no cause. */
const because = (cause: string) => (finding: GapFinding) =>
  warning(finding) && fieldsOf(finding.facts)['cause'] === cause;
/** DKIM: a key that is needed is of this kind; RSA keys of an error are those that receivers ignore for their size. */
const hasKey = (kind: DkimKeyKind) => (finding: GapFinding) => neededKeys(finding.facts, kind).length > 0;
const NOT_ENFORCED = 'DMARC policy is not enforced';

/**
 * The first row of a protocol that holds makes its item; in the order in which they are shown.
 * (rules, action-items/items-from-dns-checks)
 */
const rows: readonly Row[] = [
  [
    'dmarc',
    error,
    'high',
    'DMARC record is missing or broken',
    'Publish one valid DMARC record at _dmarc.{domain}.',
    'Set up DMARC',
  ],
  [
    'dmarc',
    (finding, { policy, messages }) => warning(finding) && policy === 'none' && messages > 0,
    'medium',
    NOT_ENFORCED,
    'Move the policy to quarantine once your senders pass.',
    'Change policy',
  ],
  ['dmarc', warning, 'low', 'DMARC record can be improved', '{details}', 'Review record'],
  [
    'spf',
    error,
    'high',
    'SPF record is missing or broken',
    'Publish one valid SPF record with at most 10 lookups.',
    'Set up SPF',
  ],
  [
    'spf',
    because('ptr'),
    'medium',
    'SPF record uses ptr',
    'Replace ptr by the addresses it stands for.',
    'Review record',
  ],
  [
    'spf',
    because('wide'),
    'medium',
    'SPF record is too permissive',
    'Narrow its address ranges to the servers that send your mail.',
    'Review record',
  ],
  [
    'spf',
    because('included'),
    'medium',
    'SPF record is too permissive',
    'Replace the include that lets any server pass by one that names the servers of the service.',
    'Review record',
  ],
  [
    'spf',
    because('redirected'),
    'medium',
    'SPF record is too permissive',
    'End the record that redirect names with ~all or -all; beside an all of your own it would be ignored.',
    'Review record',
  ],
  ['spf', warning, 'medium', 'SPF record is too permissive', 'End the record with ~all or -all.', 'Review record'],
  [
    'dkim',
    (finding) => error(finding) && hasKey('rsa')(finding),
    'high',
    'DKIM keys are too short',
    'Publish keys of 2048 bits and sign with them.',
    'Review keys',
  ],
  [
    'dkim',
    (finding) => error(finding) && hasKey('revoked')(finding),
    'high',
    'DKIM keys are missing or revoked',
    'Publish the keys your senders sign with; in place of a revoked key, a new one at a new selector.',
    'Review keys',
  ],
  ['dkim', error, 'high', 'DKIM keys are missing', 'Publish the keys your senders sign with.', 'Set up DKIM'],
  ['dkim', warning, 'medium', 'DKIM keys need attention', '{details}', 'Review keys'],
  [
    'mta_sts',
    (finding) => error(finding) && (finding.hasRecord || fieldsOf(finding.facts)['mode'] === 'enforce'),
    'medium',
    'MTA-STS is broken',
    'Repair the policy; some senders may refuse to deliver.',
    'Fix MTA-STS',
  ],
  [
    'mta_sts',
    (finding, { hasMailServers }) => error(finding) && !finding.hasRecord && hasMailServers,
    'low',
    'MTA-STS is not set up',
    'Protect inbound mail against downgrade attacks.',
    'Set up MTA-STS',
  ],
  ['bimi', (finding) => error(finding) && finding.hasRecord, 'low', 'BIMI record is broken', '{details}', 'Fix BIMI'],
  [
    'bimi',
    (finding, { isEnforced, isLocked, score }) =>
      error(finding) && !finding.hasRecord && isEnforced && !isLocked && score >= 90,
    'low',
    'Show your logo with BIMI',
    'Publish a BIMI record; your DMARC policy qualifies.',
    'Set up BIMI',
  ],
];

/** Returns the items for gaps in a domain's records. A fact that is unknown makes no item. */
export function dnsGaps(facts: GapFacts): Gap[] {
  const done = new Set<GapProtocol>();
  return rows.flatMap(([protocol, holds, severity, title, action, label]) => {
    const finding = facts.findings[protocol];
    if (!finding || done.has(protocol) || !holds(finding, facts)) return [];
    done.add(protocol);
    const suggested = action.replace('{domain}', facts.domain).replace('{details}', finding.details);
    const link: Place = { page: 'hosted_record', domain: facts.domain, protocol };
    const item = { type: `dns_${protocol}`, severity, title, suggested_action: suggested, cta_label: label, link };
    return [{ item, repeated: repeatedBy(protocol, finding) }];
  });
}

/** An open event that requires action. */
export interface OpenEvent {
  type: string;
  severity: EventSeverity;
  title: string;
  message: string;
  /** Its path, as stored. */
  link: string;
  createdAt: Date;
}

const LEVEL: { readonly [severity in OpenEvent['severity']]: ItemSeverity } = {
  critical: 'high',
  warning: 'medium',
  info: 'low',
};
const URGENCY: readonly string[] = codesOf(actionItemSeverities);

/** The place of a severity in the order of items: 0 is most urgent. */
export function urgencyOf(severity: ItemSeverity): number {
  return URGENCY.indexOf(severity);
}

/**
 * Returns all items, most urgent first: gaps before events, events newest first. An event that only repeats a gap is
 * merged into it, and raises its severity; the event that a stricter policy is ready says more than the gap. (rules,
 * action-items/order-of-items)
 * @param isRejected whether receivers are asked to reject all failing mail of the domain and its subdomains
 */
export function actionItems(gaps: readonly Gap[], events: readonly OpenEvent[], isRejected = false): ActionItem[] {
  const isReady = events.some(({ type }) => type === 'policy_upgrade_ready');
  const shown = gaps.filter(({ item }) => !(isReady && item.title === NOT_ENFORCED));
  const merged = shown.map(({ item, repeated }) => ({ item: { ...item }, repeated: new Set<string>(repeated) }));
  const own: ActionItem[] = [];
  for (const event of events.toSorted(
    (a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.title < b.title ? -1 : 1),
  )) {
    const gap = merged.find(({ repeated }) => repeated.has(event.type))?.item;
    const severity = LEVEL[event.severity];
    if (!gap) own.push(eventItem(event, severity, isRejected));
    else if (urgencyOf(severity) < urgencyOf(gap.severity)) gap.severity = severity;
  }
  return [...merged.map(({ item }) => item), ...own].toSorted((a, b) => urgencyOf(a.severity) - urgencyOf(b.severity));
}

function eventItem({ type, title, message, link }: OpenEvent, severity: ItemSeverity, isRejected: boolean): ActionItem {
  const action = adviceOf(type, isRejected) ?? message;
  return { type, severity, title, suggested_action: action, cta_label: 'View details', link };
}
