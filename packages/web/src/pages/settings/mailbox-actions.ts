import { admitConnection } from '@dmarc-ledger/ledger/for-web';
import { HttpProblem, parseId } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { defineAction } from '../../page/define-page.ts';
import { requireConnection } from './connections.ts';

const params = z.object({ id: z.string().transform((text) => parseId(text) ?? '') });

/** Signs in to a mailbox and looks; a stopped one is read again when that works. */
export const testMailbox = defineAction({
  path: '/settings/mailboxes/:id/test',
  right: 'manage mailboxes',
  body: z.object({}),
  params,
  async run({ db, viewer, ask }, { id }) {
    requireId(id);
    requireConnection(await admitConnection(db, viewer.orgId));
    const { messages } = await ask({ what: 'test_mailbox', id });
    return { redirect: `/settings/ingest?mailbox=${typeof messages === 'number' ? messages : 0}` };
  },
});

/** Leaves the mail of a mailbox where it is. */
export const pauseMailbox = defineAction({
  path: '/settings/mailboxes/:id/pause',
  right: 'manage mailboxes',
  body: z.object({}),
  params,
  async run({ ask }, { id }) {
    requireId(id);
    await ask({ what: 'pause_mailbox', id });
    return { redirect: '/settings/ingest' };
  },
});

/** Has a paused mailbox read again. */
export const resumeMailbox = defineAction({
  path: '/settings/mailboxes/:id/resume',
  right: 'manage mailboxes',
  body: z.object({}),
  params,
  async run({ ask }, { id }) {
    requireId(id);
    await ask({ what: 'resume_mailbox', id });
    return { redirect: '/settings/ingest' };
  },
});

/** Reads a mailbox no longer. What came from it stays. */
export const removeMailbox = defineAction({
  path: '/settings/mailboxes/:id/remove',
  right: 'manage mailboxes',
  body: z.object({}),
  params,
  async run({ ask }, { id }) {
    requireId(id);
    await ask({ what: 'remove_mailbox', id });
    return { redirect: '/settings/ingest' };
  },
});

function requireId(id: string): void {
  if (id === '') throw new HttpProblem('not_found', { status: 404, error: 'There is no such mailbox' });
}
