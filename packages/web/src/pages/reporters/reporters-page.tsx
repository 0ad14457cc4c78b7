import { ORG_COVERAGE_DAYS, orgCoverage, type OrgReporter } from '@dmarc-ledger/api/answers';
import type { Day } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { csvFile, csvShape, inMemory, type CsvColumns } from '../../page/csv-file.ts';
import { definePage } from '../../page/define-page.ts';
import { useFrame } from '../../page/frame.ts';
import { Explain } from '../../views/explain.tsx';
import { SaveCsv } from '../../views/save-csv.tsx';
import { ReporterTable } from './reporter-table.tsx';

const columns: CsvColumns<OrgReporter> = {
  reporter: ({ name }) => name,
  state: ({ state }) => state,
  reports: ({ reports }) => reports,
  messages: ({ messages }) => messages,
  report_days: ({ reportDays }) => reportDays,
  last_day: ({ lastDay }) => lastDay,
};

/** Who reports, and who has stopped? */
export const reportersPage = definePage({
  path: '/reporters',
  permission: 'analytics:read',
  query: z.object(csvShape),
  params: z.object({}),
  async load(needs, { format }) {
    const { reporters } = await orgCoverage(needs);
    if (format === 'csv') return await csvFile('reporters.csv', columns, inMemory(reporters));
    return { title: 'Reporters', body: <AllReporters reporters={reporters} today={needs.today} /> };
  },
});

function AllReporters({ reporters, today }: { reporters: readonly OrgReporter[]; today: Day }) {
  const { formats } = useFrame();
  const count = formats.counted(reporters.length, 'reporter', 'reporters');
  return (
    <>
      <h1>
        Reporters
        <Explain term="stopped" />
      </h1>
      <section class="panel">
        <ReporterTable caption={`${count} of the last ${ORG_COVERAGE_DAYS} days`} reporters={reporters} today={today} />
        {reporters.length > 0 && (
          <p class="small">
            <SaveCsv />
          </p>
        )}
      </section>
    </>
  );
}
