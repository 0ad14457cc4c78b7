import type { NewTarget } from '@dmarc-ledger/ledger';
import { isWebhookSecret, newWebhookSecret, webhookUrl } from '@dmarc-ledger/lookups';
import { targetSecretPlace } from '@dmarc-ledger/pipeline';
import {
  alertTypes,
  type EventSeverity,
  isChat,
  isMailAddress,
  kindOfUrl,
  normalizeAddress,
  type NotificationKind,
} from '@dmarc-ledger/vocabulary';
import type { Installation } from '@dmarc-ledger/standalone-service/installation';
import { CliError } from '../errors.ts';
import { readVariable } from '../variable.ts';

/** The options of `webhook add`. */
export interface WebhookOptions {
  types?: string[];
  minSeverity: EventSeverity;
  secretEnv?: string;
  format?: Exclude<NotificationKind, 'email'>;
}

const MOST_ADDRESSES = 20;

/** Reads a target from its options, and checks all of them before anything is stored; the secret if it has one. */
export function readTarget(
  { secrets, isOpen }: Pick<Installation, 'secrets'> & { isOpen: boolean },
  orgId: string,
  place: string,
  { types = [], minSeverity, secretEnv, format }: WebhookOptions,
): { target: NewTarget; secret: string | null } {
  const wanted = { types: readTypes(types), least_severity: minSeverity };
  if (/^mailto:/i.test(place)) {
    if (secretEnv !== undefined) throw new CliError('usage', 'Mail is not signed: --secret-env is for webhooks.');
    return { target: { kind: 'email', address: readAddresses(place), ...wanted, seal: () => null }, secret: null };
  }
  const url = webhookUrl(place, isOpen);
  if (!url)
    throw new CliError(
      'usage',
      'Give an https: URL of a public host, without a user’s name in it, or mailto: and addresses.',
    );
  const kind = format ?? kindOfUrl(url);
  if (isChat(kind)) {
    if (secretEnv !== undefined)
      throw new CliError('usage', 'Messages to a channel are not signed: their URL is the secret.');
    return { target: { kind, address: url.href, ...wanted, seal: () => null }, secret: null };
  }
  if (!secrets)
    throw new CliError(
      'usage',
      'Set SECRET_KEY: it encrypts the secrets of webhooks. Make one with: openssl rand -hex 32',
    );
  const secret = secretEnv === undefined ? newWebhookSecret() : readSecret(secretEnv);
  const seal = (targetId: string) => secrets.seal(secret, targetSecretPlace({ orgId, targetId }));
  return { target: { kind: 'webhook', address: url.href, ...wanted, seal }, secret };
}

function readTypes(types: readonly string[]): string[] {
  for (const type of types) {
    const known = alertTypes.find(({ code }) => code === type);
    if (!known) throw new CliError('usage', `There is no type of event ${type}; /v1/enums of the API lists them.`);
    if (!known.deliverable) throw new CliError('usage', `Events of the type ${type} are not delivered.`);
  }
  return [...new Set(types)];
}

function readAddresses(place: string): string {
  const addresses = place
    .slice('mailto:'.length)
    .split(',')
    .map((part) => URL.parse(`mailto:${part}`)?.pathname ?? '')
    .map((part) => decoded(part).trim());
  const wrong = addresses.find((address) => !isMailAddress(address));
  if (wrong !== undefined) throw new CliError('usage', `${wrong || 'Nothing'} is not a mail address.`);
  if (place.includes('?') || addresses.length > MOST_ADDRESSES)
    throw new CliError(
      'usage',
      `Give mailto: and up to ${MOST_ADDRESSES} addresses separated by commas, nothing else.`,
    );
  return [...new Set(addresses.map(normalizeAddress))].join(',');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

function readSecret(name: string): string {
  const value = readVariable(name);
  if (isWebhookSecret(value)) return value;
  throw new CliError('usage', `${name} must be whsec_ and 24 to 64 random bytes in base64.`);
}
