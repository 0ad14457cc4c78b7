import { answerOf, getEnforcement } from '@dmarc-ledger/api/answers';
import { findDomainId, findServerAnswers } from '@dmarc-ledger/queries';
import { z } from 'zod';
import { definePage, type PageNeeds } from '../../page/define-page.ts';
import { domainParams } from '../../page/domain-param.ts';
import { windowDays } from '../../page/window-days.ts';
import { aliasesOf } from '../domains/name-servers.tsx';
import { Enforce } from './enforce.tsx';

/** May the domain move to a stricter policy, and what is to be repaired first? */
export const enforcePage = definePage({
  path: '/domains/:domain/enforce',
  permission: 'domain:read',
  query: z.object({ days: windowDays }),
  params: domainParams,
  async load(needs, input) {
    const answer = await answerOf(getEnforcement, needs, input);
    const aliasOf = await aliasAt(needs, answer.domain);
    return { title: `Enforcement of ${answer.domain}`, body: <Enforce answer={answer} aliasOf={aliasOf} /> };
  },
});

/** Where the alias leads that stands where the record of the domain belongs. */
async function aliasAt({ db, viewer: { orgId } }: PageNeeds, domain: string): Promise<string | undefined> {
  const domainId = await findDomainId(db, orgId, domain);
  const said = domainId === undefined ? null : await findServerAnswers(db, orgId, domainId, 'dmarc');
  return aliasesOf(said?.answers ?? []).get(`_dmarc.${domain}`);
}
