import { type BodyOf, findReportPage, type listReports } from '@dmarc-ledger/api/answers';
import { findKnownDomain, findUnprovenReports } from '@dmarc-ledger/queries';
import { canonicalIp, type Day, idText, normalizeDomain, parseId } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { definePage, type PageNeeds } from '../../page/define-page.ts';
import { dayText, filterShape, lastDays, withFilter } from '../../page/filter.ts';
import { useFrame } from '../../page/frame.ts';
import { exactText, pagingShape, rowsOfPage, searchText, sortShape } from '../../page/paging.ts';
import { intakeTexts } from '../../texts/intake.ts';
import { NoReports } from '../../views/no-reports.tsx';
import { Clamped } from '../../views/clamped.tsx';
import { Breakable } from '../../views/breakable.tsx';
import { FilterForm } from '../../views/filter-form.tsx';
import { Pager, Table, type Column } from '../../views/table.tsx';
import { csvFile, pagesOf } from '../../page/csv-file.ts';
import { ReporterFilter } from './reporter-filter.tsx';
import { reportColumns } from './reports-csv.ts';
import { PageLink } from '../../views/page-link.tsx';

const sorts = ['date_end', 'received', 'org_name', 'domain', 'total_messages', 'compliance'] as const;
const query = z.object({
  domain: searchText,
  org: searchText,
  reporter: exactText,
  search: searchText,
  source_ip: z
    .string()
    .transform((text) => canonicalIp(text.trim()))
    .optional()
    .catch(undefined),
  result: z.enum(['pass', 'fail']).optional().catch(undefined),
  from: dayText,
  to: dayText,
  days: filterShape.daysOrAll,
  format: z.enum(['csv']).optional().catch(undefined),
  ...sortShape(sorts, 'date_end'),
  ...pagingShape,
});
type Query = z.output<typeof query>;

/** What exactly was reported? */
export const reportsPage = definePage({
  path: '/reports',
  permission: 'report:read',
  query,
  params: z.object({}),
  async load(needs, input) {
    const { domain, org, reporter, search, source_ip, result, sort_by, sort_dir, offset } = input;
    const asked = {
      ...(await domainFilterOf(needs, domain)),
      ...(reporter === undefined ? { org } : { reporter }),
      search,
      source_ip,
      result,
      sort_by,
      sort_dir,
      offset,
      counted: reportDays(input, needs.today),
      limit: rowsOfPage,
    };
    if (input.format === 'csv') {
      const find = async (page: object) => (await findReportPage(needs, { ...asked, ...page })).reports;
      return await csvFile(
        'reports.csv',
        reportColumns,
        pagesOf(find, ({ id }) => id),
      );
    }
    const answer = await findReportPage(needs, asked);
    const ids = answer.reports.flatMap(({ id }) => parseId(id) ?? []);
    const found = await findUnprovenReports(needs.db, needs.viewer.orgId, ids);
    const unproven = new Set([...found].map(idText));
    return { title: 'Reports', body: <Reports answer={answer} query={input} unproven={unproven} /> };
  },
});

/** A domain that is known is meant alone, as on other pages; any other text is a part of names. */
async function domainFilterOf({ db, viewer: { orgId } }: PageNeeds, domain: string | undefined) {
  const known = domain === undefined ? undefined : await findKnownDomain(db, orgId, normalizeDomain(domain));
  return known === undefined ? { domain } : { domain_id: known };
}

/**
 * The days that reports count on, by which figures add them up: so the reports behind a figure are those that it
 * counts. A number of days ends today, as that of a chart does.
 */
function reportDays({ from, to, days }: Pick<Query, 'from' | 'to' | 'days'>, today: Day) {
  if (days === undefined || from !== undefined) return from || to ? { from, to } : undefined;
  return { ...lastDays(days, today), ...(to !== undefined && { to }) };
}

interface ReportsProps {
  answer: BodyOf<typeof listReports>;
  query: Query;
  /** The ids of reports that only imports brought. */
  unproven: ReadonlySet<string>;
}

function Reports({ answer, query, unproven }: ReportsProps) {
  const { url } = useFrame();
  return (
    <>
      <h1>Reports</h1>
      <p class="small">
        <PageLink to={withFilter(url, '/reporters')}>Reporters</PageLink> ·{' '}
        <PageLink to={withFilter(url, '/failures')}>Failure reports</PageLink>
      </p>
      <FilterForm
        parts={['domain', 'days']}
        hasAllDays
        domain={query.domain}
        days={query.from === undefined ? query.days : undefined}
      >
        <ReporterFilter reporter={query.reporter} org={query.org} />
        <label>
          Address
          <input name="source_ip" value={query.source_ip ?? ''} size={18} />
        </label>
        <label>
          Result
          <select name="result">
            <option value="">all</option>
            <option value="fail" selected={query.result === 'fail'}>
              with failures
            </option>
            <option value="pass" selected={query.result === 'pass'}>
              all passed
            </option>
          </select>
        </label>
        <label>
          From
          <input type="date" name="from" value={query.from ?? ''} />
        </label>
        <label>
          To
          <input type="date" name="to" value={query.to ?? ''} />
        </label>
        <label>
          Search
          <input type="search" name="search" value={query.search ?? ''} size={16} />
        </label>
      </FilterForm>
      <section class="panel">
        <ReportTable
          answer={answer}
          unproven={unproven}
          onlyFailed={query.result === 'fail'}
          sorted={{ by: query.sort_by, direction: query.sort_dir }}
        />
        {unproven.size > 0 && (
          <p class="small">
            <span class="tag warning">{intakeTexts.unproven}</span> {intakeTexts.unprovenHere(unproven.size)}
          </p>
        )}
        <Pager {...answer} csv />
      </section>
    </>
  );
}

type Row = BodyOf<typeof listReports>['reports'][number];

function ReportTable({
  answer,
  unproven,
  sorted,
  onlyFailed,
}: Omit<ReportsProps, 'query'> & {
  /** The list has only reports of failed mail: of one, what failed is looked for. */
  onlyFailed: boolean;
  sorted: { by: string; direction: 'asc' | 'desc' };
}) {
  const { formats } = useFrame();
  const columns: Column<Row>[] = [
    {
      label: 'Ends',
      sort: 'date_end',
      cell: ({ id, date_end }) => (
        <>
          <PageLink to={`/reports/${id}${onlyFailed ? '?result=fail' : ''}`}>
            {date_end ? formats.day(date_end.slice(0, 10)) : 'open'}
          </PageLink>
          {unproven.has(id) && (
            <>
              {' '}
              <span class="tag warning">{intakeTexts.unproven}</span>
            </>
          )}
        </>
      ),
    },
    { label: 'Domain', sort: 'domain', isName: true, cell: ({ domain }) => <Breakable name={domain} /> },
    {
      label: 'Reporter',
      sort: 'org_name',
      isName: true,
      cell: ({ org_name }) => (org_name ? <Clamped text={org_name} /> : <span class="soft">unnamed</span>),
    },
    {
      label: 'Messages',
      sort: 'total_messages',
      isNumber: true,
      cell: ({ total_messages }) => formats.count(total_messages),
    },
    {
      label: 'Failed',
      isNumber: true,
      cell: ({ total_messages, compliant_messages }) => formats.count(total_messages - compliant_messages),
    },
    {
      label: 'Passed',
      sort: 'compliance',
      isNumber: true,
      cell: ({ compliance_rate }) => formats.percent(compliance_rate),
    },
    { label: 'Policy', cell: ({ policy_p }) => policy_p },
    { label: 'Received', sort: 'received', cell: ({ received_at }) => received_at && formats.instant(received_at) },
  ];
  return (
    <Table
      caption={formats.counted(answer.total, 'report', 'reports')}
      columns={columns}
      rows={answer.reports}
      keyOf={({ id }) => id}
      sorted={sorted}
      empty={answer.has_any ? 'No report matches. Change the filter, or take it away.' : <NoReports />}
    />
  );
}
