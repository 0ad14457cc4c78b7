import { answerOf, getDkimKeys, getSpf, type RequestNeeds } from '@dmarc-ledger/api/answers';
import { countsStill, findChecks, type StoredCheck } from '@dmarc-ledger/facts';
import { findCheckChanges, findDomainId, findReportAddresses, findServerAnswers } from '@dmarc-ledger/queries';
import { HttpProblem, protocolNames, protocols, type Protocol } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { definePage } from '../../page/define-page.ts';
import { domainParams } from '../../page/domain-param.ts';
import { DnsView } from './dns.tsx';

const CHANGES = 50;
const protocol = z.enum(protocols, { error: 'There is no such protocol' });

/** What is published, since when, and what should be? */
export const dnsPage = definePage({
  path: '/domains/:domain/dns/:protocol',
  permission: 'domain:read',
  query: z.object({}),
  params: domainParams.extend({ protocol }),
  async load(needs, { domain, protocol: name }) {
    const {
      db,
      viewer: { orgId },
      today,
      now,
    } = needs;
    const domainId = await findDomainId(db, orgId, domain);
    if (domainId === undefined) throw new HttpProblem('not_found', { status: 404, error: 'Domain Not Found' });
    const [checks, changes, addresses, said, more] = await Promise.all([
      findChecks(db, orgId, domainId),
      findCheckChanges(db, orgId, domainId, CHANGES),
      findReportAddresses(db, orgId),
      findServerAnswers(db, orgId, domainId, name),
      findMore(needs, domain, name),
    ]);
    const check = checks.find(({ subject }) => subject === name);
    const mx = checks.find(({ subject, status }) => subject === 'mx' && status === 'ok');
    const isRecent = (of: StoredCheck | undefined) => of !== undefined && countsStill(of.checked_at, now);
    const own = changes.filter(({ subject }) => subject === name);
    const body = (
      <DnsView
        domain={domain}
        protocol={name}
        check={check}
        isRecent={isRecent(check)}
        mailServers={isRecent(mx) ? mx?.records : undefined}
        changes={own}
        addresses={addresses}
        today={today}
        said={said}
        {...more}
      />
    );
    return { title: `${protocolNames[name]} of ${domain}`, body };
  },
});

/** The SPF tree and the DKIM keys; nothing for a domain that is neither monitored nor has reports. */
async function findMore(needs: RequestNeeds, domain: string, name: Protocol) {
  try {
    if (name === 'spf') return { spf: await answerOf(getSpf, needs, { domain }) };
    if (name === 'dkim') return { keys: await answerOf(getDkimKeys, needs, { domain }) };
  } catch (error) {
    if (!(error instanceof HttpProblem && error.code === 'not_found')) throw error;
  }
  return {};
}

/** Links of v1 that offer to host a record, or to verify, lead to the page of its record. */
export const hostedPage = definePage({
  path: '/domains/:domain/hosted/:protocol',
  permission: 'domain:read',
  query: z.object({}),
  params: domainParams.extend({ protocol }),
  load: async (_needs, { domain, protocol: name }) => ({ redirect: `/domains/${domain}/dns/${name}` }),
});

export const verifyPage = definePage({
  path: '/domains/:domain/verify',
  permission: 'domain:read',
  query: z.object({}),
  params: domainParams,
  load: async (_needs, { domain }) => ({ redirect: `/domains/${domain}/dns/dmarc` }),
});
