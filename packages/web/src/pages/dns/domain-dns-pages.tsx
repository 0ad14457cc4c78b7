import { answerOf, getDkimKeys, getSpf } from '@dmarc-ledger/api/answers';
import { z } from 'zod';
import { definePage } from '../../page/define-page.ts';
import { domainParams } from '../../page/domain-param.ts';
import { findAlias } from '../../page/find-alias.ts';
import { Dkim } from './dkim.tsx';
import { Spf } from './spf.tsx';

/** Which DKIM keys are in use, how old are they, and what is to be done about them? */
export const dkimPage = definePage({
  path: '/domains/:domain/dkim',
  permission: 'domain:read',
  query: z.object({}),
  params: domainParams,
  async load(needs, input) {
    const answer = await answerOf(getDkimKeys, needs, input);
    return { title: `DKIM keys of ${answer.domain}`, body: <Dkim answer={answer} /> };
  },
});

/** What does the SPF record come to, who needs it, and who is missing in it? */
export const spfPage = definePage({
  path: '/domains/:domain/spf',
  permission: 'domain:read',
  query: z.object({}),
  params: domainParams,
  async load(needs, input) {
    const answer = await answerOf(getSpf, needs, input);
    const { domain } = answer;
    const aliasOf = await findAlias(needs, { domain, protocol: 'spf', name: domain });
    return { title: `SPF of ${domain}`, body: <Spf answer={answer} aliasOf={aliasOf} /> };
  },
});
