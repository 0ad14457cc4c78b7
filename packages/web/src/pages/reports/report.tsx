import { verdictOf } from '@dmarc-ledger/api/answers';
import type { ReportCopyRow, ReportHead, StoredRecord } from '@dmarc-ledger/queries';
import { idText, type Warning } from '@dmarc-ledger/vocabulary';
import { samePage } from '../../page/filter.ts';
import { useFrame } from '../../page/frame.ts';
import { intakeTexts } from '../../texts/intake.ts';
import { Facts } from '../../views/facts.tsx';
import { Explain } from '../../views/explain.tsx';
import { firstOf } from '../../views/first-lines.tsx';
import { ReportCopies } from './report-copies.tsx';
import { RecordTable, type JudgedRecord } from './record-table.tsx';
import { SaveCsv } from '../../views/save-csv.tsx';
import { PageLink } from '../../views/page-link.tsx';
import { WarningList } from '../../views/warning-list.tsx';

interface ReportViewProps {
  report: ReportHead;
  warnings: readonly Warning[];
  copies: readonly ReportCopyRow[];
  records: readonly StoredRecord[];
  /** The position of the first record shown. */
  offset: number;
  limit: number;
  /** Only records of this address are shown. */
  address: string | undefined;
  /** Only records that failed DMARC are shown. */
  onlyFailed: boolean;
}

/** A report as people read it: who said what about which domain, and each record with its verdict. */
export function ReportView(props: ReportViewProps) {
  const { report, warnings, copies, records, offset, limit, address, onlyFailed } = props;
  const { metadata, policy } = report;
  const isWhole = address === undefined && !onlyFailed;
  const judged: JudgedRecord[] = records.map((record) => ({ record, verdict: verdictOf(record, report) }));
  return (
    <>
      <h1>
        {metadata.reporterName ?? 'An unnamed reporter'} about{' '}
        <PageLink to={`/domains/${policy.domain}`}>{policy.domain}</PageLink>
      </h1>
      {report.unproven === true && (
        <p>
          <span class="tag warning">{intakeTexts.unproven}</span> {intakeTexts.unprovenWhy}
        </p>
      )}
      <div class="columns">
        <Metadata report={report} />
        <Policy policy={policy} />
      </div>
      <section class="panel">
        <h2>{address === undefined ? 'Records' : `What it says about ${address}`}</h2>
        <OtherRecords report={report} isWhole={isWhole} onlyFailed={onlyFailed} />
        <RecordTable records={judged} total={isWhole ? report.records : undefined} />
        {records.length > 0 && (
          <p class="small">
            <SaveCsv />
          </p>
        )}
        <RecordPager records={records} offset={offset} limit={limit} />
      </section>
      {warnings.length > 0 && <Warnings warnings={warnings} />}
      <ReportCopies reportId={report.id} copies={copies} />
    </>
  );
}

/** The way to all records, and to those alone that failed DMARC. */
function OtherRecords({
  report,
  isWhole,
  onlyFailed,
}: Pick<ReportViewProps, 'report' | 'onlyFailed'> & { isWhole: boolean }) {
  const { formats, url } = useFrame();
  const failed = report.both_failed;
  return (
    <p class="small">
      {!isWhole && (
        <a href={samePage(url, { address: undefined, result: undefined, offset: undefined })}>
          All records of the report ({formats.count(report.records)})
        </a>
      )}
      {!isWhole && !onlyFailed && failed > 0 && ' · '}
      {!onlyFailed && failed > 0 && (
        <a href={samePage(url, { result: 'fail', offset: undefined })}>
          Only what failed DMARC ({formats.counted(failed, 'record', 'records')})
        </a>
      )}
    </p>
  );
}

function Warnings({ warnings }: { warnings: readonly Warning[] }) {
  return (
    <section class="panel">
      <h2>
        How it departs from the standard
        <Explain term="warning" />
      </h2>
      <WarningList warnings={warnings} />
    </section>
  );
}

function Metadata({ report: { id, metadata, records, messages, compliant } }: { report: ReportHead }) {
  const { formats } = useFrame();
  const failed = messages - compliant;
  const { begin, end } = metadata;
  /** What a reporter gives as an instant can be any number: one that is none is shown as it stands. */
  const instant = (seconds: number | null) => {
    const date = new Date((seconds ?? Number.NaN) * 1_000);
    return Number.isNaN(date.getTime()) ? seconds : formats.instant(date);
  };
  const facts: [string, string | number | null][] = [
    ['Report id', metadata.reportId],
    ['From', instant(begin)],
    ['To', instant(end)],
    ['Contact', metadata.email],
    ['More', metadata.extraContactInfo],
    ['Generator', metadata.generator],
    ['Errors', firstOf(metadata.errors)],
    ['Messages', `${formats.count(messages)}, of which ${formats.count(failed)} failed DMARC`],
    ['Records', formats.count(records)],
    ['In the ledger', idText(id)],
  ];
  return (
    <section class="panel">
      <h2>The report</h2>
      <Facts facts={facts} />
    </section>
  );
}

const MODES = { r: 'relaxed', s: 'strict' };

function Policy({ policy }: { policy: ReportHead['policy'] }) {
  const facts: [string, string | number | null][] = [
    ['Domain', policy.domain],
    ['Policy', policy.p],
    ['Subdomains', policy.sp],
    ['Subdomains that do not exist', policy.np],
    ['DKIM alignment', MODES[policy.adkim]],
    ['SPF alignment', MODES[policy.aspf]],
    ['Percentage', policy.pct],
    ['Test mode', policy.testing],
  ];
  return (
    <section class="panel">
      <h2>
        The policy that the reporter saw
        <Explain term="policy" />
      </h2>
      <Facts facts={facts} />
    </section>
  );
}

/** Records are paged by their position, as a report may have dropped some. */
function RecordPager({ records, offset, limit }: Pick<ReportViewProps, 'records' | 'offset' | 'limit'>) {
  const { url } = useFrame();
  const last = records.at(-1);
  const next = last && records.length === limit ? last.position + 1 : undefined;
  if (offset === 0 && next === undefined) return null;
  return (
    <nav class="pager small" aria-label="More records">
      {offset > 0 && <PageLink to={samePage(url, { offset: undefined })}>From the beginning</PageLink>}
      {next !== undefined && <PageLink to={samePage(url, { offset: next })}>Next</PageLink>}
    </nav>
  );
}
