import { answerOf, getSource, sourceAnswer, sourceRecords } from '@dmarc-ledger/api/answers';
import { findAddressDecisions, findKnownDomain } from '@dmarc-ledger/queries';
import { canonicalIp } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { definePage, type PageNeeds } from '../../page/define-page.ts';
import { filterShape } from '../../page/filter.ts';
import { csvFile, csvShape, pagesOf } from '../../page/csv-file.ts';
import { sourceRecordColumns } from './source-records-csv.ts';
import { SourceView } from './source.tsx';

const ip = z.string().transform((text, context) => {
  const address = canonicalIp(text);
  if (address !== undefined) return address;
  context.addIssue({ code: 'custom', message: 'This is no IP address' });
  return z.NEVER;
});

/** Who is this address, and why is it taken for what it is? */
export const sourcePage = definePage({
  path: '/sources/:ip',
  permission: 'analytics:read',
  query: z.object({ domain: filterShape.domain, ...csvShape }),
  params: z.object({ ip }),
  async load(needs, { ip: address, domain, format }) {
    const own = domain === undefined ? undefined : await sourceOfDomain(needs, address, domain);
    const source = own?.answer ?? (await answerOf(getSource, needs, { ip: address }));
    if (format === 'csv') {
      const question = { ip: address, domainId: own?.domainId };
      return await csvFile(
        'reports-of-address.csv',
        sourceRecordColumns,
        pagesOf(
          (page) => sourceRecords(needs, question, page),
          ({ id }) => id,
        ),
      );
    }
    const decisions = await findAddressDecisions(needs.db, needs.viewer.orgId, [address]);
    return {
      title: source.source_ip,
      body: <SourceView source={source} domain={own && domain} decisions={decisions} />,
    };
  },
});

/** The address with the figures of its mail as one domain, as lists of that domain show it; undefined without any. */
async function sourceOfDomain(needs: PageNeeds, address: string, domain: string) {
  const domainId = await findKnownDomain(needs.db, needs.viewer.orgId, domain);
  const answer = domainId === undefined ? undefined : await sourceAnswer(needs, { ip: address, domainId });
  return answer && { answer, domainId };
}
