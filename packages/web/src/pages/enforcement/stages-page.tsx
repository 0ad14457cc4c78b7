import { enforcementStages, ORG_COVERAGE_DAYS, orgCoverage } from '@dmarc-ledger/api/answers';
import { pathStages, pathTexts } from '@dmarc-ledger/enforcement';
import { addDays } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { definePage } from '../../page/define-page.ts';
import { csvFile, csvShape, inMemory } from '../../page/csv-file.ts';
import { stageColumns } from './stages-csv.ts';
import { Stages } from './stages.tsx';

/** Where does each domain stand on the path to reject? */
export const stagesPage = definePage({
  path: '/enforcement',
  permission: 'domain:read',
  query: z.object(csvShape),
  params: z.object({}),
  async load(needs, { format }) {
    const [found, { confidences }] = await Promise.all([
      enforcementStages(needs, ORG_COVERAGE_DAYS),
      orgCoverage(needs),
    ]);
    const domains = found.map((row) => ({ ...row, confidence: confidences.get(row.domain) }));
    if (format === 'csv') return await csvFile('enforcement.csv', stageColumns, inMemory(domains));
    const stages = pathStages.map((stage) => ({
      stage,
      title: pathTexts[stage].title,
      domains: domains.filter((domain) => domain.stage === stage),
    }));
    const range = { from: addDays(needs.today, 1 - ORG_COVERAGE_DAYS), to: needs.today };
    return { title: 'Enforcement', body: <Stages stages={stages} range={range} /> };
  },
});
