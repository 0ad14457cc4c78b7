import { answerOf, findSenderPage, findSourcePage, listDecisionChanges } from '@dmarc-ledger/api/answers';
import { HttpProblem, isDomainName, normalizeDomain } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { csvFile, csvShape, pagesOf } from '../../page/csv-file.ts';
import { definePage } from '../../page/define-page.ts';
import { pagingShape, rowsOfPage, sortShape } from '../../page/paging.ts';
import { SenderView } from './sender.tsx';
import { sourceColumns } from './sources-csv.ts';

const MOST_CHANGES = 50;
const sorts = ['total_messages', 'source_ip', 'last_seen', 'compliance', 'auth_failures'] as const;

/** Who is this sender, what was decided about it, and by whom? */
export const senderPage = definePage({
  path: '/senders/sender',
  permission: 'analytics:read',
  query: z.object({
    domain: z.string().transform(normalizeDomain).refine(isDomainName, 'This is no domain name'),
    sender: z.string().min(1, 'There is no such sender').max(100, 'There is no such sender'),
    ...sortShape(sorts, 'total_messages'),
    ...pagingShape,
    ...csvShape,
  }),
  params: z.object({}),
  async load(needs, { domain, sender: id, format, ...sorted }) {
    const one = { domain, sender: id, offset: 0 };
    const page = { sort_by: 'messages', sort_dir: 'desc', limit: 1 } as const;
    const [found, history] = await Promise.all([
      findSenderPage(needs, { ...one, ...page }),
      answerOf(listDecisionChanges, needs, { ...one, limit: MOST_CHANGES }),
    ]);
    const [sender] = found.senders;
    if (!sender) throw new HttpProblem('not_found', { status: 404, error: 'There is no such sender' });
    const find = (page: object) => findSourcePage(needs, { domain, sender: id, limit: rowsOfPage, ...sorted, ...page });
    if (format === 'csv') {
      const batches = pagesOf(
        async (page) => (await find(page)).sources,
        ({ source_ip }) => source_ip,
      );
      return await csvFile('addresses-of-sender.csv', sourceColumns, batches);
    }
    const addresses = await find({});
    const props = { sender, history, addresses, sorted: { by: sorted.sort_by, direction: sorted.sort_dir } };
    return { title: `${sender.name} for ${domain}`, body: <SenderView {...props} /> };
  },
});
