import { answerOf, getCoverage } from '@dmarc-ledger/api/answers';
import { z } from 'zod';
import { definePage } from '../../page/define-page.ts';
import { domainParams } from '../../page/domain-param.ts';
import { windowDays } from '../../page/window-days.ts';
import { CoverageView } from './coverage.tsx';

/** How much of a domain's mail do its figures show, and which reporters are missing? */
export const coveragePage = definePage({
  path: '/domains/:domain/coverage',
  permission: 'domain:read',
  query: z.object({ days: windowDays }),
  params: domainParams,
  async load(needs, input) {
    const answer = await answerOf(getCoverage, needs, input);
    return { title: `Coverage of ${answer.domain}`, body: <CoverageView answer={answer} /> };
  },
});
