import { z } from 'zod';
import { definePage } from '../../page/define-page.ts';

/** Links of events name a mailbox; its state stands among those of all mailboxes. */
export const mailboxPage = definePage({
  path: '/settings/mailboxes/:id',
  permission: 'see intake',
  query: z.object({}),
  params: z.object({}),
  load: async () => ({ redirect: '/settings/ingest' }),
});
