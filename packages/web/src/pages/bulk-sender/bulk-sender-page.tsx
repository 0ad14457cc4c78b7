import { answerOf, getBulkSenderRules } from '@dmarc-ledger/api/answers';
import { z } from 'zod';
import { definePage } from '../../page/define-page.ts';
import { domainParams } from '../../page/domain-param.ts';
import { BulkSender } from './bulk-sender.tsx';

/** Does a domain meet the rules of mailbox providers for senders of much mail? */
export const bulkSenderPage = definePage({
  path: '/domains/:domain/bulk-sender',
  permission: 'domain:read',
  query: z.object({}),
  params: domainParams,
  async load(needs, input) {
    const answer = await answerOf(getBulkSenderRules, needs, input);
    return { title: `Bulk sender rules of ${answer.domain}`, body: <BulkSender answer={answer} /> };
  },
});
