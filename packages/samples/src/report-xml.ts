import { elementText, type Element } from './element.ts';
import type { SampleRecord, SampleReport } from './facts.ts';

/** The ways in which one reporter's XML differs from another's. */
export interface Shape {
  orgName: string;
  email: string;
  extraContactInfo?: string;
  indent: '' | ' ' | '  ' | '\t';
  /** Attributes of the root: a namespace, mostly none. */
  root?: string;
  version?: string;
  generator?: string;
  discoveryMethod?: 'psl' | 'treewalk';
  /** The end is the last second of the day, or the first of the next. */
  endsAtMidnight?: boolean;
  withFailureOptions?: boolean;
  withEnvelopeFrom?: boolean;
  withEnvelopeTo?: boolean;
  withScope?: boolean;
  withoutSelector?: boolean;
  /** How this reporter spells an SPF result. */
  spfResult?: (result: string) => string;
  sourceIp?: (ip: string) => string;
}

const XML = '<?xml version="1.0" encoding="UTF-8"?>';

/** The report as this reporter writes it. */
export function reportXml(report: SampleReport, shape: Shape): string {
  const root: Element = [
    shape.root ? `feedback ${shape.root}` : 'feedback',
    [
      optional('version', shape.version),
      metadata(report, shape),
      policy(report, shape),
      ...report.records.map((record) => recordElement(record, shape)),
    ],
  ];
  return `${XML}${shape.indent ? '\n' : ''}${elementText(root, shape.indent)}`;
}

/** The last second of the report, as this reporter counts. */
export function endOf({ end }: SampleReport, { endsAtMidnight }: Shape): number {
  return endsAtMidnight ? end : end - 1;
}

function metadata(report: SampleReport, shape: Shape): Element {
  return [
    'report_metadata',
    [
      ['org_name', shape.orgName],
      ['email', shape.email],
      optional('extra_contact_info', shape.extraContactInfo),
      ['report_id', report.reportId],
      [
        'date_range',
        [
          ['begin', report.begin],
          ['end', endOf(report, shape)],
        ],
      ],
      optional('generator', shape.generator),
    ],
  ];
}

function policy({ domain }: SampleReport, { withFailureOptions, discoveryMethod }: Shape): Element {
  return [
    'policy_published',
    [
      ['domain', domain.name],
      ['adkim', 'r'],
      ['aspf', 'r'],
      ['p', domain.policy],
      ['sp', domain.subdomainPolicy],
      discoveryMethod ? undefined : ['pct', 100],
      optional('fo', withFailureOptions ? domain.failureOptions : undefined),
      optional('discovery_method', discoveryMethod),
    ],
  ];
}

function recordElement(record: SampleRecord, shape: Shape): Element {
  const { sourceIp = (ip) => ip } = shape;
  const evaluated: Element = [
    'policy_evaluated',
    [['disposition', record.disposition], ['dkim', record.dkim], ['spf', record.spf], reason(record)],
  ];
  return [
    'record',
    [
      ['row', [['source_ip', sourceIp(record.sourceIp)], ['count', record.count], evaluated]],
      [
        'identifiers',
        [
          optional('envelope_to', shape.withEnvelopeTo ? record.envelopeTo : undefined),
          optional('envelope_from', shape.withEnvelopeFrom ? record.envelopeFrom : undefined),
          ['header_from', record.headerFrom],
        ],
      ],
      authResults(record, shape),
    ],
  ];
}

function reason({ reason: given }: SampleRecord): Element | undefined {
  return given && ['reason', [['type', given.type], optional('comment', given.comment)]];
}

function authResults(record: SampleRecord, { spfResult = (text) => text, withScope, withoutSelector }: Shape): Element {
  const dkim = record.dkimResults.map((found): Element => [
    'dkim',
    [
      ['domain', found.domain],
      optional('selector', withoutSelector ? undefined : found.selector),
      ['result', found.result],
    ],
  ]);
  const spf: Element = [
    'spf',
    [
      ['domain', record.spfResult.domain],
      optional('scope', withScope ? 'mfrom' : undefined),
      ['result', spfResult(record.spfResult.result)],
    ],
  ];
  return ['auth_results', [...dkim, spf]];
}

function optional(name: string, text: string | undefined): Element | undefined {
  return text === undefined ? undefined : [name, text];
}
