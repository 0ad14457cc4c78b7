import { AccessError, takeTicket } from '@dmarc-ledger/ledger';
import type { SettingsHost } from '@dmarc-ledger/inlets';
import { HttpProblem, readCredentials } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { addOwnMailbox, mailboxWish, pauseOwnMailbox, removeOwnMailbox, testOwnMailbox } from './mailbox-settings.ts';
import { linkWish, mailOwnLink } from './mail-settings.ts';
import { replayOwnDelivery } from './replay-settings.ts';
import type { SettingsNeeds } from './settings-needs.ts';
import { addOwnTarget, removeOwnTarget, targetWish, testOwnTarget } from './target-settings.ts';

const id = z.uuid();

/** The changes that the pages may ask for, each with what it needs. */
const Wish = z.discriminatedUnion('what', [
  mailboxWish.extend({ what: z.literal('add_mailbox') }),
  z.object({ what: z.literal('test_mailbox'), id }),
  z.object({ what: z.literal('pause_mailbox'), id }),
  z.object({ what: z.literal('resume_mailbox'), id }),
  z.object({ what: z.literal('remove_mailbox'), id }),
  targetWish.extend({ what: z.literal('add_target') }),
  z.object({ what: z.literal('test_target'), id }),
  z.object({ what: z.literal('remove_target'), id }),
  z.object({ what: z.literal('replay'), id }),
  linkWish.extend({ what: z.literal('mail_link') }),
]);

/** Changes settings for the pages, which have no secrets: a ticket of theirs serves for one change. */
export function settingsHost(needs: SettingsNeeds): SettingsHost {
  return {
    async admitChange(rawHeaders) {
      const credentials = readCredentials(rawHeaders);
      const orgId =
        credentials.kind === 'bearer' ? await takeTicket(needs.database.db, credentials.token, 'settings') : undefined;
      if (orgId === undefined) throw new HttpProblem('unauthorized', { status: 401, error: 'Invalid Ticket' });
      return orgId;
    },
    async change(orgId, given) {
      const { data: wish, error } = Wish.safeParse(given);
      if (!wish) throw unreadable(error.issues[0]?.message);
      return await changeOf(needs, orgId, wish).catch(inWords);
    },
  };
}

async function changeOf(needs: SettingsNeeds, orgId: string, wish: z.output<typeof Wish>): Promise<object> {
  switch (wish.what) {
    case 'add_mailbox':
      return await addOwnMailbox(needs, orgId, wish);
    case 'test_mailbox':
      return await testOwnMailbox(needs, { orgId, mailboxId: wish.id });
    case 'pause_mailbox':
    case 'resume_mailbox':
      return await pauseOwnMailbox(needs, { orgId, mailboxId: wish.id }, wish.what === 'pause_mailbox');
    case 'remove_mailbox':
      return await removeOwnMailbox(needs, { orgId, mailboxId: wish.id });
    case 'add_target':
      return await addOwnTarget(needs, orgId, wish);
    case 'test_target':
      return await testOwnTarget(needs, { orgId, targetId: wish.id });
    case 'remove_target':
      return await removeOwnTarget(needs, { orgId, targetId: wish.id });
    case 'replay':
      return await replayOwnDelivery(needs, orgId, wish.id);
    case 'mail_link':
      return await mailOwnLink(needs, orgId, wish);
  }
}

/** What the ledger refuses, as the page shows it. */
function inWords(cause: unknown): never {
  if (cause instanceof AccessError) throw new HttpProblem('refused', { status: 422, error: cause.message }, { cause });
  throw cause;
}

function unreadable(error = 'This cannot be read'): HttpProblem {
  return new HttpProblem('bad_request', { status: 400, error });
}
