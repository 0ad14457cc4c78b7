import { addTarget, listTargets, type Target } from '@dmarc-ledger/ledger';
import type { Database } from '@dmarc-ledger/schema';
import { newWebhookSecret, openDnsClient } from '@dmarc-ledger/lookups';
import { openSecretBox } from '@dmarc-ledger/secrets';
import type { WebhookReceiver } from '@dmarc-ledger/testkit';
import { newId } from '@dmarc-ledger/vocabulary';
import { openNotifier, targetSecretPlace, type Notifier, type NotifierNeeds } from '../../src/index.ts';

const secretKey = 'k'.repeat(40);
export const secrets = openSecretBox(secretKey);

export interface GivenEvent {
  type?: string;
  severity?: 'info' | 'warning' | 'critical';
  domain?: string;
  title?: string;
  message?: string;
  createdAt?: Date;
}

let events = 0;

/** Inserts an event as the code that raises events does. */
export async function givenEvent({ db }: Database, orgId: string, event: GivenEvent = {}): Promise<string> {
  const { type = 'dmarc_record_missing', severity = 'critical', domain = 'shop.example', createdAt } = event;
  const { title = 'DMARC record removed for shop.example', message = 'There is no DMARC record any more.' } = event;
  const id = newId();
  await db
    .insertInto('event')
    .values({
      org_id: orgId,
      id,
      type,
      severity,
      domain,
      dedup_key: `${type}/${(events += 1)}`,
      title,
      message,
      link: '/domains/shop.example/dns/dmarc',
      ...(createdAt && { created_at: createdAt }),
    })
    .execute();
  return id;
}

export interface GivenTarget {
  types?: string[];
  least?: 'info' | 'warning' | 'critical';
}

/** A target at the place: a URL, or an address of mail. */
export async function givenTarget(database: Database, orgId: string, place: string, target: GivenTarget = {}) {
  const { types = [], least = 'info' } = target;
  const isWebhook = place.startsWith('http');
  const secret = newWebhookSecret();
  const { id } = await addTarget(database, orgId, {
    kind: isWebhook ? 'webhook' : 'email',
    address: place,
    types,
    least_severity: least,
    seal: (targetId) => (isWebhook ? secrets.seal(secret, targetSecretPlace({ orgId, targetId })) : null),
  });
  return { id, secret };
}

/** Sends to the receiver, and to no other host. */
export function notifierTo(receiver: WebhookReceiver, needs: Partial<NotifierNeeds> = {}): Notifier {
  const client = openDnsClient({ servers: [receiver.dns], timeoutMs: 10_000 });
  const isAllowed = (address: string) => address === '127.0.0.1';
  return openNotifier({
    webhooks: { client, ca: receiver.ca, isAllowed },
    secrets,
    appUrl: 'https://app.ledger.example',
    ...needs,
  });
}

export interface LogRow {
  id: string;
  state: string;
  tries: number;
  status: number | null;
  code: string | null;
}

/** The log of a target, oldest first. */
export async function logOf({ pool }: Database, targetId: string): Promise<LogRow[]> {
  const { rows } = await pool.query<LogRow>(
    `select id, state, tries, answer_status as status, error_code as code from event_delivery
     where target_id = $1 order by event_id`,
    [targetId],
  );
  return rows;
}

export async function targetAt({ db }: Database, targetId: string): Promise<Target | undefined> {
  return (await listTargets(db)).find(({ id }) => id === targetId);
}
