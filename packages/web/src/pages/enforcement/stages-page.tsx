import { pathStages, pathTexts } from '@dmarc-ledger/enforcement';
import { findEnforcementStages } from '@dmarc-ledger/queries';
import { z } from 'zod';
import { definePage } from '../../page/define-page.ts';
import { csvFile, csvShape, inMemory } from '../../page/csv-file.ts';
import { stageColumns } from './stages-csv.ts';
import { Stages } from './stages.tsx';

const DAYS = 30;

/** Where does each domain stand on the path to reject? */
export const stagesPage = definePage({
  path: '/enforcement',
  permission: 'domain:read',
  query: z.object(csvShape),
  params: z.object({}),
  async load({ db, viewer, today, now }, { format }) {
    const domains = await findEnforcementStages(db, viewer.orgId, { days: DAYS, today, now });
    if (format === 'csv') return await csvFile('enforcement.csv', stageColumns, inMemory(domains));
    const stages = pathStages.map((stage) => ({
      stage,
      title: pathTexts[stage].title,
      domains: domains.filter((domain) => domain.stage === stage),
    }));
    return { title: 'Enforcement', body: <Stages stages={stages} days={DAYS} /> };
  },
});
