import { chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@dmarc-ledger/local-postgres';
import { inject } from 'vitest';
import { dovecotConfig, oauth2Config, type DovecotOptions, type DovecotPlace } from './dovecot-config.ts';
import { errandsBy, type StoredMail } from './dovecot-errands.ts';
import { endDovecot, killDovecot, logOf, startDovecot } from './dovecot-process.ts';
import { deliverToMaildir, forgetUids } from './maildir.ts';
import { makeCertificate } from './private-ca.ts';
import { unprivilegedUser } from './system-user.ts';
import { atExit } from './end-with-process.ts';

/** A Dovecot of one test, on loopback. Any user name may log in with the one password. */
export interface DovecotServer extends AsyncDisposable {
  host: 'localhost';
  /** Plaintext, and STARTTLS. */
  port: number;
  /** TLS from the first byte. */
  tlsPort: number;
  /** The authority that has signed its certificate, as PEM. */
  ca: string;
  password: string;
  /** A user name that is new in this test. */
  user(): string;
  /** Puts messages into a folder, which is created if necessary, bypassing IMAP: thousands in a second. */
  deliver(user: string, folder: string, messages: readonly Buffer[]): Promise<void>;
  /** The same by IMAP. */
  append(user: string, folder: string, messages: readonly Buffer[]): Promise<void>;
  messages(user: string, folder: string): Promise<StoredMail[]>;
  /** Moves all mail of a folder, as a person does in a mail client. */
  moveAll(user: string, from: string, to: string): Promise<void>;
  createFolder(user: string, folder: string): Promise<void>;
  deleteFolder(user: string, folder: string): Promise<void>;
  /** Gives a folder, which may be the INBOX, another UIDVALIDITY. No session may have it open. */
  renumber(user: string, folder: string): void;
  /** With `record`: the commands of clients after their login, including those of this test server. */
  commands(): string[];
  log(): string;
  /** Stops it; mail stays, and `restart` brings it back on the same ports. */
  stop(): Promise<void>;
  restart(): Promise<void>;
  /** Kills it and all sessions. */
  kill(): Promise<void>;
}

export async function dovecotServer(options: DovecotOptions = {}): Promise<DovecotServer> {
  const { program, missing } = inject('dovecot');
  if (!program) throw new Error(missing);
  const place = await makePlace(options);
  let child = await startDovecot(program, place);
  const stop = () => endDovecot(child);
  const kill = () => killDovecot(child);
  const remove = () => rmSync(place.folder, { recursive: true, force: true });
  const callOff = atExit(remove);
  let users = 0;
  const home = (user: string) => join(place.folder, 'home', user);
  return {
    host: 'localhost',
    port: place.port,
    tlsPort: place.tlsPort,
    ca: place.certificate.ca,
    password: place.password,
    ...errandsBy(place),
    user: () => `user-${(users += 1)}@example.com`,
    deliver: (user, folder, messages) => deliverToMaildir(home(user), folder, messages, place.user),
    renumber: (user, folder) => forgetUids(home(user), folder),
    commands: () => commandsIn(join(place.folder, 'sessions')),
    log: () => logOf(place.folder),
    stop,
    restart: async () => {
      await stop();
      child = await startDovecot(program, place);
    },
    kill,
    [Symbol.asyncDispose]: async () => {
      await kill();
      callOff();
      remove();
    },
  };
}

async function makePlace(options: DovecotOptions): Promise<DovecotPlace> {
  const folder = mkdtempSync(join(tmpdir(), 'dmarc-ledger-dovecot-'));
  const [port, tlsPort, certificate] = await Promise.all([freePort(), freePort(), makeCertificate(folder)]);
  const place = { folder, port, tlsPort, certificate, user: unprivilegedUser(), password: 'correct-horse' };
  for (const name of ['run', 'home', 'sessions']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'dovecot.conf'), dovecotConfig(options, place));
  if (options.tokenInfoUrl) writeFileSync(join(folder, 'oauth2.conf'), oauth2Config(options.tokenInfoUrl));
  const { uid, gid } = place.user;
  for (const name of ['', ...readdirSync(folder)]) chownSync(join(folder, name), uid, gid);
  return place;
}

/** The lines that clients sent, session after session, without the time and the tag before them. */
function commandsIn(folder: string): string[] {
  const sessions = readdirSync(folder).filter((name) => name.endsWith('.in'));
  const lines = sessions.toSorted().flatMap((name) => readFileSync(join(folder, name), 'latin1').split('\n'));
  return lines.flatMap((line) => /^\d+\.\d+ [0-9A-Z]{1,6} ([A-Z]+( .*?)?)\r?$/.exec(line)?.[1] ?? []);
}
