import { AccessError, removeDomain, takeTicket } from '@dmarc-ledger/ledger';
import type { SettingsHost } from '@dmarc-ledger/inlets';
import { HttpProblem, readCredentials } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { addOwnMailbox, mailboxInput, pauseOwnMailbox, removeOwnMailbox, testOwnMailbox } from './mailbox-settings.ts';
import { linkInput, mailOwnLink } from './mail-settings.ts';
import { replayOwnDelivery } from './replay-settings.ts';
import type { SettingsNeeds } from './settings-needs.ts';
import { addOwnTarget, removeOwnTarget, targetInput, testOwnTarget } from './target-settings.ts';

const id = z.uuid();
const LONGEST_NAME = 253;

/** The changes that the pages may ask for, each with what it needs. */
const Input = z.discriminatedUnion('what', [
  mailboxInput.extend({ what: z.literal('add_mailbox') }),
  z.object({ what: z.literal('test_mailbox'), id }),
  z.object({ what: z.literal('pause_mailbox'), id }),
  z.object({ what: z.literal('resume_mailbox'), id }),
  z.object({ what: z.literal('remove_mailbox'), id }),
  targetInput.extend({ what: z.literal('add_target') }),
  z.object({ what: z.literal('test_target'), id }),
  z.object({ what: z.literal('remove_target'), id }),
  z.object({ what: z.literal('replay'), id }),
  linkInput.extend({ what: z.literal('mail_link') }),
  z.object({ what: z.literal('end_monitoring'), domain: z.string().max(LONGEST_NAME) }),
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
      const { data: input, error } = Input.safeParse(given);
      if (!input) throw unreadable(error.issues[0]?.message);
      return await changeOf(needs, orgId, input).catch(inWords);
    },
  };
}

async function changeOf(needs: SettingsNeeds, orgId: string, input: z.output<typeof Input>): Promise<object> {
  switch (input.what) {
    case 'add_mailbox':
      return await addOwnMailbox(needs, orgId, input);
    case 'test_mailbox':
      return await testOwnMailbox(needs, { orgId, mailboxId: input.id });
    case 'pause_mailbox':
    case 'resume_mailbox':
      return await pauseOwnMailbox(needs, { orgId, mailboxId: input.id }, input.what === 'pause_mailbox');
    case 'remove_mailbox':
      return await removeOwnMailbox(needs, { orgId, mailboxId: input.id });
    case 'add_target':
      return await addOwnTarget(needs, orgId, input);
    case 'test_target':
      return await testOwnTarget(needs, { orgId, targetId: input.id });
    case 'remove_target':
      return await removeOwnTarget(needs, { orgId, targetId: input.id });
    case 'replay':
      return await replayOwnDelivery(needs, orgId, input.id);
    case 'mail_link':
      return await mailOwnLink(needs, orgId, input);
    case 'end_monitoring':
      return { isEnded: await removeDomain(needs.database, orgId, input.domain) };
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
