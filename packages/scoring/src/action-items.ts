import type { CheckStatus, DmarcPolicy, EventSeverity, Protocol } from '@dmarc-ledger/vocabulary';

export type ItemSeverity = 'high' | 'medium' | 'low';

/** The part of a check's finding that action items need. */
export interface GapFinding {
  status: CheckStatus;
  details: string;
  hasRecord: boolean;
}

/** The facts about a domain that decide its action items. */
export interface GapFacts {
  domain: string;
  findings: { readonly [protocol in Extract<Protocol, 'dmarc' | 'spf' | 'dkim' | 'mta_sts' | 'bimi'>]?: GapFinding };
  policy: DmarcPolicy | undefined;
  /** All of the failing mail is quarantined or rejected. */
  isEnforced: boolean;
  messages: number;
  score: number;
  hasMailServers: boolean;
}

export interface ActionItem {
  type: string;
  severity: ItemSeverity;
  title: string;
  suggested_action: string;
  cta_label: string;
  cta_url: string;
}

type JudgedProtocol = keyof GapFacts['findings'];
type Row = readonly [
  protocol: JudgedProtocol,
  holds: (finding: GapFinding, facts: GapFacts) => boolean,
  severity: ItemSeverity,
  title: string,
  action: string,
  label: string,
];

const error = ({ status }: GapFinding) => status === 'error';
const warning = ({ status }: GapFinding) => status === 'warning';

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
    'DMARC policy is not enforced',
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
  ['spf', warning, 'medium', 'SPF record is too permissive', 'End the record with ~all or -all.', 'Review record'],
  ['dkim', error, 'high', 'DKIM keys are missing', 'Publish the keys your senders sign with.', 'Set up DKIM'],
  ['dkim', warning, 'medium', 'DKIM keys need attention', '{details}', 'Review keys'],
  [
    'mta_sts',
    (finding) => error(finding) && finding.hasRecord,
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
    (finding, { isEnforced, score }) => error(finding) && !finding.hasRecord && isEnforced && score >= 90,
    'low',
    'Show your logo with BIMI',
    'Publish a BIMI record; your DMARC policy qualifies.',
    'Set up BIMI',
  ],
];

/** Returns the items for gaps in a domain's records. A fact that is unknown makes no item. */
export function dnsGaps(facts: GapFacts): ActionItem[] {
  const done = new Set<JudgedProtocol>();
  return rows.flatMap(([protocol, holds, severity, title, action, label]) => {
    const finding = facts.findings[protocol];
    if (!finding || done.has(protocol) || !holds(finding, facts)) return [];
    done.add(protocol);
    const suggested = action.replace('{domain}', facts.domain).replace('{details}', finding.details);
    const url = `/domains/${facts.domain}/hosted/${protocol}`;
    return [{ type: `dns_${protocol}`, severity, title, suggested_action: suggested, cta_label: label, cta_url: url }];
  });
}

/** An open event that requires action. */
export interface OpenEvent {
  type: string;
  severity: EventSeverity;
  title: string;
  message: string;
  link: string;
  createdAt: Date;
}

const LEVEL: { readonly [severity in OpenEvent['severity']]: ItemSeverity } = {
  critical: 'high',
  warning: 'medium',
  info: 'low',
};
const ORDER: readonly ItemSeverity[] = ['high', 'medium', 'low'];
/** Event types that repeat what a DNS gap already says. */
const GAP_OF = /^(dmarc|spf|dkim|mta_sts|bimi)_/;

/**
 * Returns all items, most urgent first: gaps before events, events newest first. An event that repeats a gap is merged
 * into it, and raises its severity. (rules, action-items/order-of-items)
 */
export function actionItems(gaps: readonly ActionItem[], events: readonly OpenEvent[]): ActionItem[] {
  const rank = (severity: ItemSeverity) => ORDER.indexOf(severity);
  const merged = new Map(gaps.map((gap) => [gap.type, { ...gap }]));
  const own: ActionItem[] = [];
  for (const event of events.toSorted(
    (a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.title < b.title ? -1 : 1),
  )) {
    const gap = merged.get(`dns_${GAP_OF.exec(event.type)?.[1] ?? ''}`);
    const severity = LEVEL[event.severity];
    if (!gap) own.push(eventItem(event, severity));
    else if (rank(severity) < rank(gap.severity)) gap.severity = severity;
  }
  return [...merged.values(), ...own].toSorted((a, b) => rank(a.severity) - rank(b.severity));
}

function eventItem({ type, title, message, link }: OpenEvent, severity: ItemSeverity): ActionItem {
  return { type, severity, title, suggested_action: message, cta_label: 'View details', cta_url: link };
}
