import { codesOf, dmarcPolicies, type Day } from '@dmarc-ledger/vocabulary';
import { findOrgTotal, findReports, type ReportDays } from '@dmarc-ledger/queries';
import { z } from 'zod';
import { defineRoute, type RequestNeeds } from '../define-route.ts';
import { addressFilter, limit, offset, oneOf, oneOfOr, part, search } from '../parameters/lenient.ts';
import { calendarDay } from '../parameters/strict.ts';
import { count, hasAny, identifier, instant, paging, percentage, text } from '../bodies/fields.ts';
import { asReportCsv, asReportJson, toReportRow } from './report-row.ts';

const ReportRow = z
  .object({
    id: identifier('What the report is fetched by.'),
    report_id: text("The reporter's own identifier; not what the report is fetched by.").nullable(),
    org_name: text('Who sent the report.').nullable(),
    domain: text('The domain that the report is about.'),
    total_messages: count('Messages accounted for.'),
    compliant_messages: count('Of those, the ones that passed DMARC.'),
    compliance_rate: percentage('Share of messages that passed DMARC.'),
    policy_p: z.enum(codesOf(dmarcPolicies)).describe('Policy that the domain had published.'),
    date_begin: instant('Begin of the reporting window.').nullable(),
    date_end: instant('End of the reporting window.').nullable(),
    received_at: instant('When the report came in.').nullable(),
  })
  .meta({ id: 'ReportRow' });

const sorts = ['date_end', 'received', 'org_name', 'domain', 'total_messages', 'report_id', 'compliance'] as const;

export const listReports = defineRoute({
  path: '/reports',
  operationId: 'listReports',
  permission: 'report:read',
  tag: 'Reports',
  summary: 'Aggregate reports, newest first.',
  query: {
    domain: part("Part of the name of the report's domain, in any case, as A-labels or U-labels."),
    org: part("Part of the reporter's name, in any case."),
    result: oneOf(
      ['pass', 'fail'],
      '`pass`: every message passed DMARC. `fail`: at least one failed. A report without messages is in neither.',
    ),
    source_ip: addressFilter('Reports that contain this sending address.'),
    from: calendarDay('Keeps reports whose window begins on or after this UTC day.'),
    to: calendarDay('Keeps reports whose window ends on or before this UTC day.'),
    search: search(
      'Each word is part of, or similar to (trigrams, 0.3), a reporter name, a domain or a report id, in any case. ' +
        'Names are found as A-labels and as U-labels. Where an organization has over 50,000 reports, a word of one ' +
        'or two letters finds report ids by their beginning only. In the default order, reports whose id is exactly ' +
        'the text come first, up to 200.',
    ),
    sort_by: oneOfOr(sorts, 'date_end', 'What to sort by. Ties are settled by id; rows without a value come last.'),
    sort_dir: oneOfOr(['asc', 'desc'], 'desc', 'Direction of the sort.'),
    limit: limit(50),
    offset,
    format: oneOf(['csv', 'json'], 'The current page as a file instead of the envelope.'),
  },
  answer: z.object({
    reports: z.array(ReportRow).describe('The page; empty when nothing matches.'),
    ...paging,
    has_any: hasAny,
  }),
  attachments: {
    'text/csv': 'With `format=csv`: the page without `received_at`, the window as UTC days.',
  },
  errors: { 400: '`from` or `to` is not a calendar day.' },
  example: {
    reports: [
      {
        id: '01JX5T3Z8QK6W4V9N2M7R1C0BD',
        report_id: '12345678901234567890',
        org_name: 'google.com',
        domain: 'example.com',
        total_messages: 160,
        compliant_messages: 125,
        compliance_rate: 78.13,
        policy_p: 'quarantine',
        date_begin: '2026-03-01T00:00:00Z',
        date_end: '2026-03-01T23:59:59Z',
        received_at: '2026-03-02T04:11:32Z',
      },
    ],
    total: 1,
    limit: 50,
    offset: 0,
    has_any: true,
  },
  async handle(needs, { format, ...question }) {
    const answer = await findReportPage(needs, question);
    if (format === 'csv') return asReportCsv(answer.reports);
    if (format === 'json') return asReportJson(answer.reports);
    return answer;
  },
});

interface ReportQuestion {
  domain?: string | undefined;
  /** The id of one domain. Pages filter by it; v1 does not. */
  domain_id?: string | undefined;
  /** The same; the days that reports count on. */
  counted?: ReportDays | undefined;
  org?: string | undefined;
  /** The name that one reporter counts by. Pages filter by it; v1 does not. */
  reporter?: string | undefined;
  result?: 'pass' | 'fail' | undefined;
  /** Null is no address, and finds nothing. */
  source_ip?: string | null | undefined;
  from?: Day | undefined;
  to?: Day | undefined;
  search?: string | undefined;
  sort_by: (typeof sorts)[number];
  sort_dir: 'asc' | 'desc';
  limit: number;
  offset: number;
}

/** One page of the reports that match, and how many do. */
export async function findReportPage(
  { db, caller: { orgId } }: Pick<RequestNeeds, 'db' | 'caller'>,
  { sort_by, sort_dir, limit: size, offset: skipped, source_ip, org, reporter, domain_id, ...others }: ReportQuestion,
) {
  const slice = { sortBy: sort_by, direction: sort_dir, limit: size, offset: skipped };
  const names = { reporter: org, countedReporter: reporter };
  const filter = { ...others, ...names, domainId: domain_id, sourceIp: source_ip ?? undefined };
  const nothing = { rows: [], total: 0 };
  const [{ rows, total }, held] = await Promise.all([
    source_ip === null ? nothing : findReports(db, orgId, filter, slice),
    findOrgTotal(db, orgId),
  ]);
  const has_any = total > 0 || held.reports > 0; // the first report may come between the two
  return { reports: rows.map(toReportRow), total, limit: size, offset: skipped, has_any };
}
