import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import type { Mailbox, NewMailbox } from '@dmarc-ledger/ledger';
import { secretPlace, type OauthSecret } from '@dmarc-ledger/pipeline';
import type { SecretBox } from '@dmarc-ledger/secrets';
import { isSystemError, systemReason } from '@dmarc-ledger/standalone-service/installation';
import { normalizeDomain, present } from '@dmarc-ledger/vocabulary';
import { CliError } from '../errors.ts';
import { readVariable } from '../variable.ts';
import { readShortText } from './short-text.ts';

/** The options of `mailbox add`. */
export interface MailboxOptions {
  host: string;
  user: string;
  port?: string;
  tls: 'implicit' | 'starttls';
  caFile?: string;
  folder: string;
  passwordEnv?: string;
  oauthTokenUrl?: string;
  oauthClientId?: string;
  oauthClientSecretEnv?: string;
  oauthRefreshTokenEnv?: string;
  oauthScope?: string;
  after: 'move' | 'keyword' | 'leave';
  processedFolder: string;
  refusedFolder: string;
  shared?: boolean;
  authservId?: string[];
}

const HOST_NAME = /^\w([\w-]*\w)?(\.\w([\w-]*\w)?)*\.?$/;
const USUAL_PORT = { implicit: 993, starttls: 143 };

/** Reads a mailbox from its options, and checks each of them. */
export async function readMailbox(options: MailboxOptions, secrets: SecretBox, orgId: string): Promise<NewMailbox> {
  const { host, user: username, tls, folder, after, processedFolder, refusedFolder } = options;
  const { auth, secret, oauth } = readSecret(options);
  return {
    host,
    port: readPort(options),
    tls,
    ca: options.caFile === undefined ? null : await readCa(options.caFile),
    username,
    folder,
    auth,
    oauth,
    after_intake: after,
    processed_folder: processedFolder,
    refused_folder: refusedFolder,
    shared: options.shared ?? false,
    authserv_ids: (options.authservId ?? []).filter((id) => id !== '').map((id) => id.toLowerCase()),
    seal: (mailboxId) => secrets.seal(secret, secretPlace({ orgId, mailboxId }, 'secret')),
  };
}

const SETTINGS = {
  tls: 'tls',
  caFile: 'ca',
  after: 'after_intake',
  processedFolder: 'processed_folder',
  refusedFolder: 'refused_folder',
  shared: 'shared',
  authservId: 'authserv_ids',
} as const;

/** The new settings of a mailbox that there is already: those of options that are left out stay as they are. */
export function keepSettings(given: NewMailbox, known: Mailbox, isGiven: (option: string) => boolean): NewMailbox {
  const kept = Object.entries(SETTINGS).flatMap(([option, name]) => (isGiven(option) ? [] : [[name, known[name]]]));
  return { ...given, ...Object.fromEntries(kept) };
}

/** Refuses a mailbox of whose folders two are the same: moved mail would be read again. */
export function checkFolders({ folder, processed_folder, refused_folder }: NewMailbox): void {
  if (new Set([folder, processed_folder, refused_folder].map((name) => name.toLowerCase())).size < 3)
    throw new CliError('usage', '--folder, --processed-folder and --refused-folder must name three different folders.');
}

function readSecret(options: MailboxOptions): Pick<NewMailbox, 'auth' | 'oauth'> & { secret: string } {
  const { passwordEnv, oauthTokenUrl, oauthClientId, oauthClientSecretEnv, oauthRefreshTokenEnv, oauthScope } = options;
  if ((passwordEnv === undefined) === (oauthTokenUrl === undefined))
    throw new CliError('usage', 'Give either --password-env or --oauth-token-url.');
  if (passwordEnv !== undefined) return { auth: 'password', oauth: null, secret: readVariable(passwordEnv) };
  if (oauthClientId === undefined) throw new CliError('usage', '--oauth-token-url needs --oauth-client-id.');
  if (oauthClientSecretEnv === undefined && oauthRefreshTokenEnv === undefined)
    throw new CliError('usage', 'OAuth needs --oauth-client-secret-env, --oauth-refresh-token-env, or both.');
  const secret: OauthSecret = {
    clientSecret: oauthClientSecretEnv === undefined ? null : readVariable(oauthClientSecretEnv),
    refreshToken: oauthRefreshTokenEnv === undefined ? null : readVariable(oauthRefreshTokenEnv),
  };
  const grant = secret.refreshToken === null ? 'client_credentials' : 'refresh_token';
  const oauth = {
    tokenUrl: readTokenUrl(present(oauthTokenUrl)),
    clientId: oauthClientId,
    grant,
    scope: oauthScope ?? null,
  } as const;
  return { auth: 'oauth', oauth, secret: JSON.stringify(secret) };
}

/** Reads the name or the address of a server. */
export function readHost(text: string): string {
  const host = normalizeDomain(text);
  if (isIP(host) > 0 || (host.length <= 253 && HOST_NAME.test(host))) return host;
  throw new CliError('usage', '--host takes the name or the address of a server, such as imap.example.com.');
}

/** Reads what a server knows by this name: a user or a folder. */
export function readServerText(option: string): (text: string) => string {
  const read = readShortText(option, 320);
  return (text) => {
    if (read(text) === '') throw new CliError('usage', `${option} is empty.`);
    return text;
  };
}

function readPort({ port, tls }: MailboxOptions): number {
  if (port === undefined) return USUAL_PORT[tls];
  if (/^[1-9]\d{0,4}$/.test(port) && Number(port) <= 65_535) return Number(port);
  throw new CliError('usage', '--port takes a number from 1 to 65535.');
}

function readTokenUrl(text: string): string {
  const url = URL.parse(text);
  const isLocal = url !== null && /^(?:127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(url.hostname);
  if (url?.protocol === 'https:' || (isLocal && url.protocol === 'http:')) return url.href;
  throw new CliError('usage', '--oauth-token-url must begin with https://');
}

async function readCa(path: string): Promise<string> {
  try {
    return new X509Certificate(await readFile(path, 'utf8')).toString();
  } catch (error) {
    if (isSystemError(error)) throw new CliError('usage', `--ca-file cannot be read: ${systemReason(error)}`);
    throw new CliError('usage', `${path} is not a readable certificate in PEM.`);
  }
}
