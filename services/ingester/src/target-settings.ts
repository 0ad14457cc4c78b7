import {
  addTarget,
  findOrganization,
  findTarget,
  removeTarget,
  type Target,
  type TargetKey,
} from '@dmarc-ledger/ledger';
import { newWebhookSecret, webhookUrl } from '@dmarc-ledger/lookups';
import { targetSecretPlace, testNotice } from '@dmarc-ledger/pipeline';
import {
  HttpProblem,
  isChat,
  isPublicMailAddress,
  kindOfUrl,
  newId,
  normalizeAddress,
  notificationKinds,
} from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { requireSecrets, type SettingsNeeds } from './settings-needs.ts';

/** A target of notifications as a person enters it on the pages. */
export const targetInput = z.object({
  kind: z.enum(notificationKinds),
  address: z.string().min(1).max(2_000),
  least_severity: z.enum(['info', 'warning', 'critical']),
  form: z.uuid().optional(),
});

/** The most targets of an organization that people may add: each event is sent to all of them. */
const LIMIT = { most: 50 };

/** Adds a target. The secret of a webhook is returned here, and never again. */
export async function addOwnTarget(
  { database, isOpen, ...needs }: SettingsNeeds,
  orgId: string,
  { kind: chosen, address, least_severity, form }: z.output<typeof targetInput>,
): Promise<object> {
  if (chosen === 'email') {
    const to = normalizeAddress(address);
    if (to.length > 254 || !isPublicMailAddress(to)) throw refused('This is not an e-mail address.');
    const target = { kind: chosen, address: to, least_severity, seal: () => null };
    const { id } = await addTarget(database, orgId, target, LIMIT);
    return { id, secret: null };
  }
  const url = webhookUrl(address, isOpen);
  if (!url) throw refused('Give an https URL of a public host, without a user’s name in it.');
  const known = kindOfUrl(url);
  const kind = isChat(known) ? known : chosen; // the URL of a channel is its secret, and takes no other body
  if (isChat(kind)) {
    const target = { kind, address: url.href, least_severity, seal: () => null };
    const { id } = await addTarget(database, orgId, target, LIMIT);
    return { id, secret: null };
  }
  const secrets = requireSecrets(needs);
  const secret = newWebhookSecret();
  const seal = (targetId: string) => secrets.seal(secret, targetSecretPlace({ orgId, targetId }));
  const target = { kind, address: url.href, least_severity, seal };
  const { id, wasKnown } = await addTarget(database, orgId, target, { ...LIMIT, form });
  return { id, secret, was_known: wasKnown };
}

/** Sends a test event now, which the log does not list. */
export async function testOwnTarget(needs: SettingsNeeds, key: TargetKey): Promise<object> {
  const { kind, address, secret } = await ownTarget(needs, key);
  if (kind === 'webhook') requireSecrets(needs);
  const notifier = await needs.openNotifier();
  const organization = await findOrganization(needs.database.db, { id: key.orgId });
  const notice = testNotice(organization ?? { id: key.orgId, name: '' }, notifier.appUrl);
  const answer = await notifier.notify({ ...key, kind, address, secret }, newId(), notice);
  return { delivered: answer.isDelivered, status: answer.status, code: answer.code };
}

export async function removeOwnTarget(needs: SettingsNeeds, key: TargetKey): Promise<object> {
  await ownTarget(needs, key);
  await removeTarget(needs.database, key);
  return {};
}

async function ownTarget({ database }: SettingsNeeds, { orgId, targetId }: TargetKey): Promise<Target> {
  const target = await findTarget(database.db, targetId);
  if (target?.org_id === orgId && target.removed_at === null) return target;
  throw new HttpProblem('not_found', { status: 404, error: 'There is no such target' });
}

function refused(error: string): HttpProblem {
  return new HttpProblem('target_refused', { status: 422, error });
}
