import { acknowledgeEvent } from '@dmarc-ledger/ledger/for-web';
import { HttpProblem, parseId } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { defineAction } from '../../page/define-page.ts';
import { ownPath } from '../../page/own-path.ts';

/** Records who has dealt with an event; doing it again changes nothing. */
export const acknowledge = defineAction({
  path: '/events/:id/acknowledge',
  right: 'acknowledge',
  body: z.object({ back: z.string().max(2_000).catch('/events') }),
  params: z.object({ id: z.string().transform((text) => parseId(text) ?? '') }),
  async run({ db, viewer }, { id, back }) {
    const isKnown = id !== '' && (await acknowledgeEvent(db, viewer.orgId, id, viewer.email));
    if (!isKnown) throw new HttpProblem('not_found', { status: 404, error: 'There is no such event' });
    return { redirect: ownPath(back) };
  },
});
