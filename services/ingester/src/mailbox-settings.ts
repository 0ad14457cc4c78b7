import { X509Certificate } from 'node:crypto';
import {
  addMailbox,
  findMailbox,
  listMailboxes,
  type Mailbox,
  type MailboxKey,
  removeMailbox,
  resumeMailbox,
  setMailboxPaused,
} from '@dmarc-ledger/ledger';
import { type Credentials, type MailboxSettings, PATIENCE, tryMailbox } from '@dmarc-ledger/inlets';
import { isPublicAddress } from '@dmarc-ledger/lookups';
import { accessToken, secretPlace } from '@dmarc-ledger/pipeline';
import type { SecretBox } from '@dmarc-ledger/secrets';
import { HttpProblem, normalizeDomain, roles } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { prepareSignIn, refused, signInInput, withReportedFaults } from './mailbox-sign-in.ts';
import { requestAnyToken } from './request-token.ts';
import { requireSecrets, type SettingsNeeds } from './settings-needs.ts';

/** A mailbox as a person enters it on the pages. */
export const mailboxInput = z.object({
  host: z
    .string()
    .transform(normalizeDomain)
    .pipe(z.union([z.hostname().max(253), z.ipv4(), z.ipv6()], 'Give the name of a server, such as imap.example.com')),
  port: z.number().int().min(1).max(65_535),
  tls: z.enum(['implicit', 'starttls']),
  ca: z.string().max(16_000).nullable(),
  username: z.string().min(1).max(320),
  signIn: signInInput,
  folder: z
    .string()
    .min(1)
    .max(200)
    .transform((name) => (name.toUpperCase() === 'INBOX' ? 'INBOX' : name)), // in any case by RFC 9051, 5.1
  by: z.object({ email: z.string(), role: z.enum(roles) }).optional(),
});

/** The ports of IMAP. Others are for the operator: connections there would reveal which services listen. */
const PORTS = { implicit: 993, starttls: 143 };
/** Of an organization. Each has a connection of its own that stays open. */
const LIMIT = { most: 50 };
const PROCESSED = 'Processed';
const REFUSED = 'Refused';
const TOTAL_MS = 30_000;
const TEST_PATIENCE = { ...PATIENCE, connectMs: 10_000, silenceMs: 15_000 };

/** Adds a mailbox once it could be signed in to. One that is read already is left as it is. */
export async function addOwnMailbox(
  needs: SettingsNeeds,
  orgId: string,
  { signIn, by, ...input }: z.output<typeof mailboxInput>,
): Promise<object> {
  const { database, isOpen } = needs;
  const secrets = requireSecrets(needs);
  const { host, port, tls, username, folder } = input;
  if (!isOpen && port !== PORTS[tls]) throw refused(`With this encryption the port is ${PORTS[tls]}.`);
  if ([PROCESSED, REFUSED].some((name) => name.toLowerCase() === folder.toLowerCase()))
    throw refused('Mail that was read is moved to that folder.');
  const known = await listMailboxes(database.db, orgId);
  if (known.some((one) => normalizeDomain(one.host) === host && one.username === username && one.folder === folder))
    throw refused('This mailbox is already read. Remove it before you add it again.');
  const ca = input.ca === null ? null : readCa(input.ca);
  const server = { host, port, tls, ca, username, folder };
  const settings = {
    ...server,
    afterIntake: 'move' as const,
    processedFolder: PROCESSED,
    refusedFolder: REFUSED,
    isAllowed: isOpen ? undefined : isPublicAddress,
  };
  const { auth, oauth, credentials, secret } = await withReportedFaults(() => prepareSignIn(signIn, isOpen));
  const sight = await look(settings, credentials);
  const mailbox = {
    ...server,
    auth,
    oauth,
    after_intake: 'move' as const,
    processed_folder: PROCESSED,
    refused_folder: REFUSED,
    shared: false,
    authserv_ids: [],
    public_only: !isOpen,
    seal: (mailboxId: string) => secrets.seal(secret, secretPlace({ orgId, mailboxId }, 'secret')),
  };
  const id = await addMailbox(database, orgId, mailbox, { ...LIMIT, by });
  return { id, ...sight };
}

/** Signs in to a mailbox and looks. One that had stopped is read again when this succeeds. */
export async function testOwnMailbox(needs: SettingsNeeds, key: MailboxKey): Promise<object> {
  const mailbox = await ownMailbox(needs, key);
  const sealed = { database: needs.database, secrets: requireSecrets(needs) };
  const credentials = await withReportedFaults(() => credentialsOf(sealed, key, mailbox));
  const sight = await look(settingsOf(mailbox), credentials);
  await resumeMailbox(needs.database.db, key);
  return sight;
}

/** Leaves the mail of a mailbox where it is until it is resumed. */
export async function pauseOwnMailbox(needs: SettingsNeeds, key: MailboxKey, isPaused: boolean): Promise<object> {
  await ownMailbox(needs, key);
  await setMailboxPaused(needs.database.db, key, isPaused);
  return {};
}

export async function removeOwnMailbox(needs: SettingsNeeds, key: MailboxKey): Promise<object> {
  await ownMailbox(needs, key);
  await removeMailbox(needs.database.db, key);
  return {};
}

async function ownMailbox({ database }: SettingsNeeds, { orgId, mailboxId }: MailboxKey): Promise<Mailbox> {
  const mailbox = await findMailbox(database.db, mailboxId);
  if (mailbox?.org_id === orgId) return mailbox;
  throw new HttpProblem('not_found', { status: 404, error: 'There is no such mailbox' });
}

function settingsOf(mailbox: Mailbox): MailboxSettings {
  const { after_intake: afterIntake, processed_folder: processedFolder, refused_folder: refusedFolder } = mailbox;
  const isAllowed = mailbox.public_only ? isPublicAddress : undefined;
  return { ...mailbox, afterIntake, processedFolder, refusedFolder, isAllowed };
}

async function credentialsOf(
  sealed: Pick<SettingsNeeds, 'database'> & { secrets: SecretBox },
  key: MailboxKey,
  mailbox: Mailbox,
): Promise<Credentials> {
  if (mailbox.auth === 'oauth') return await accessToken({ ...sealed, requestToken: requestAnyToken }, key);
  return { password: sealed.secrets.open(mailbox.secret, secretPlace(key, 'secret')) };
}

async function look(settings: MailboxSettings, credentials: Credentials): Promise<{ messages: number }> {
  const signal = AbortSignal.timeout(TOTAL_MS);
  const watch = { patience: TEST_PATIENCE, signal };
  const { messages } = await withReportedFaults(() => tryMailbox(settings, credentials, watch));
  return { messages };
}

function readCa(pem: string): string {
  try {
    return new X509Certificate(pem).toString();
  } catch (error) {
    throw refused('The authority is not a certificate in PEM.', error);
  }
}
