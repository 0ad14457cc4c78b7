import { admitConnection } from '@dmarc-ledger/ledger/for-web';
import { HttpProblem, idText, parseId } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { defineAction } from '../../page/define-page.ts';
import { requireConnection } from './connections.ts';

/** Has a refused or quarantined delivery read again. */
export const replay = defineAction({
  path: '/settings/ingest/:id/replay',
  right: 'replay',
  body: z.object({}),
  params: z.object({ id: z.string().transform((text) => parseId(text) ?? '') }),
  async run({ db, viewer, ask }, { id }) {
    if (id === '') throw new HttpProblem('not_found', { status: 404, error: 'There is no such delivery' });
    requireConnection(await admitConnection(db, viewer.orgId));
    await ask({ what: 'replay', id });
    return { redirect: `/settings/ingest/${idText(id)}` };
  },
});
