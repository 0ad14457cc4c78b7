import { findKnownDomain } from '@dmarc-ledger/queries';
import { z } from 'zod';
import { defineAction } from '../../page/define-page.ts';
import { domainParams } from '../../page/domain-param.ts';
import { domainPage } from './domain-page.tsx';

/** Ends the monitoring of a domain, and keeps its reports. (rules, organizations/monitored-domains) */
export const endMonitoring = defineAction({
  path: '/domains/:domain/end-monitoring',
  right: 'end monitoring',
  form: domainPage,
  body: z.object({}),
  params: domainParams,
  async run({ db, viewer: { orgId }, ask }, { domain }) {
    await ask({ what: 'end_monitoring', domain });
    const isKnown = (await findKnownDomain(db, orgId, domain)) !== undefined;
    return { redirect: isKnown ? `/domains/${domain}` : '/domains' };
  },
});
