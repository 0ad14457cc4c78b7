import { findOrganization, type Target } from '@dmarc-ledger/ledger';
import { testNotice } from '@dmarc-ledger/pipeline';
import { newId } from '@dmarc-ledger/vocabulary';
import { CliError } from '../errors.ts';
import { openNotifierOf } from '../open-outside.ts';
import { printJson, printTable } from '../print.ts';
import type { Work } from '../with-installation.ts';

/** Sends a test event like a worker, and prints the answer. The target's log does not list it. */
export async function testTarget(work: Work, target: Target, options: { json?: boolean }): Promise<void> {
  const notifier = await openNotifierOf(work);
  const { org_id: orgId, id: targetId, kind, address, secret } = target;
  const organization = await findOrganization(work.installation.database.db, { id: orgId });
  const notice = testNotice(organization ?? { id: orgId, name: '' }, notifier.appUrl);
  const answer = await notifier.notify({ orgId, targetId, kind, address, secret }, newId(), notice);
  const { isDelivered: delivered, status, code, text = '' } = answer;
  if (options.json) printJson({ delivered, status, code, answer: text });
  else printTable([{ delivered, status, code, answer: text || null }]);
  if (!delivered)
    throw new CliError('refused', `The test event did not arrive: ${[code, status].filter(Boolean).join(' ')}.`);
}
