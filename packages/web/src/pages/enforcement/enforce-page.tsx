import { answerOf, getEnforcement } from '@dmarc-ledger/api/answers';
import { z } from 'zod';
import { definePage } from '../../page/define-page.ts';
import { domainParams } from '../../page/domain-param.ts';
import { findAlias } from '../../page/find-alias.ts';
import { windowDays } from '../../page/window-days.ts';
import { Enforce } from './enforce.tsx';

/** May the domain move to a stricter policy, and what is to be repaired first? */
export const enforcePage = definePage({
  path: '/domains/:domain/enforce',
  permission: 'domain:read',
  query: z.object({ days: windowDays }),
  params: domainParams,
  async load(needs, input) {
    const answer = await answerOf(getEnforcement, needs, input);
    const { domain } = answer;
    const aliasOf = await findAlias(needs, { domain, protocol: 'dmarc', name: `_dmarc.${domain}` });
    return { title: `Enforcement of ${domain}`, body: <Enforce answer={answer} aliasOf={aliasOf} /> };
  },
});
