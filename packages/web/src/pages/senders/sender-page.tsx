import { answerOf, findSenderPage, listDecisionChanges } from '@dmarc-ledger/api/answers';
import { HttpProblem, isDomainName, normalizeDomain } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { definePage } from '../../page/define-page.ts';
import { SenderView } from './sender.tsx';

const MOST_CHANGES = 50;

/** Who is this sender, what was decided about it, and by whom? */
export const senderPage = definePage({
  path: '/senders/sender',
  permission: 'analytics:read',
  query: z.object({
    domain: z.string().transform(normalizeDomain).refine(isDomainName, 'This is no domain name'),
    sender: z.string().min(1).max(100),
  }),
  params: z.object({}),
  async load(needs, { domain, sender: id }) {
    const one = { domain, sender: id, offset: 0 };
    const page = { sort_by: 'messages', sort_dir: 'desc', limit: 1 } as const;
    const [found, history] = await Promise.all([
      findSenderPage(needs, { ...one, ...page }),
      answerOf(listDecisionChanges, needs, { ...one, limit: MOST_CHANGES }),
    ]);
    const [sender] = found.senders;
    if (!sender) throw new HttpProblem('not_found', { status: 404, error: 'There is no such sender' });
    return { title: `${sender.name} for ${domain}`, body: <SenderView sender={sender} history={history} /> };
  },
});
