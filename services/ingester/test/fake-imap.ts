import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createServer, type TLSSocket } from 'node:tls';
import { makeCertificate } from '@dmarc-ledger/testkit/private-ca';

/**
 * The server's answer instead of the requested one; `hang up`: the connection ends; undefined: it does as requested.
 */
type Whim = (command: string) => string | undefined | Promise<string | undefined>;

/**
 * A mail server of one folder with behaviour that no real server has. It knows only the commands that an ingester
 * sends.
 */
export interface FakeImap extends AsyncDisposable {
  tlsPort: number;
  ca: string;
  password: string;
  whim?: Whim;
  /** The mails in the INBOX, by UID. */
  mails: Map<number, Buffer>;
  /** The sizes that it reports, by UID, where they are not the true ones. */
  announcedSizes: Map<number, number>;
  sessions(): number;
  /** Sends this line every second from now on to those that are connected. */
  drip(line: string): void;
  /** Clients that are connected now. */
  connected(): number;
}

export async function fakeImap(): Promise<FakeImap> {
  const folder = mkdtempSync(join(tmpdir(), 'dmarc-ledger-fake-imap-'));
  const { ca, certificate, key } = await makeCertificate(folder);
  let sessions = 0;
  const sockets = new Set<TLSSocket>();
  const server = createServer({ cert: readFileSync(certificate), key: readFileSync(key) }, (socket) => {
    sessions += 1;
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.write('* OK [CAPABILITY IMAP4rev1 UIDPLUS MOVE] ready\r\n');
    const lines = createInterface({ input: socket });
    lines.on('line', (line) => void answer(fake, socket, line)).on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const fake: FakeImap = {
    tlsPort: (server.address() as AddressInfo).port,
    ca,
    password: 'secret',
    mails: new Map(),
    announcedSizes: new Map(),
    sessions: () => sessions,
    drip(line) {
      for (const socket of sockets) {
        const timer = setInterval(() => socket.write(`${line}\r\n`), 1_000);
        socket.on('close', () => clearInterval(timer));
      }
    },
    connected: () => sockets.size,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
      rmSync(folder, { recursive: true });
    },
  };
  return fake;
}

async function answer(fake: FakeImap, socket: TLSSocket, line: string): Promise<void> {
  const [, tag = '', command = ''] = /^(\S+) (.*)$/.exec(line) ?? [];
  const whim = await fake.whim?.(command);
  if (whim === 'hang up') return void socket.destroy();
  if (whim?.startsWith('* BYE')) return void socket.end(`${whim}\r\n`);
  if (whim) return void socket.write(`${tag} ${whim}\r\n`);
  for (const piece of repliesTo(fake, command)) socket.write(piece);
  socket.write(`${tag} OK done\r\n`);
}

function repliesTo({ mails, announcedSizes }: FakeImap, command: string): (string | Buffer)[] {
  const uids = [...mails.keys()].toSorted((a, b) => a - b);
  const [, verb = '', range = ''] =
    /^(UID FETCH|UID MOVE|UID SEARCH UID|FETCH|SELECT|STATUS) ?(\S*)/.exec(command) ?? [];
  switch (verb) {
    case 'SELECT':
      return [`* ${uids.length} EXISTS\r\n`, '* OK [UIDVALIDITY 7] ok\r\n', '* OK [PERMANENTFLAGS (\\*)] ok\r\n'];
    case 'STATUS':
      return [`* STATUS ${range} (MESSAGES 0)\r\n`];
    case 'FETCH':
      return within(
        range,
        uids.map((_, i) => i + 1),
      ).map((at) => {
        const uid = uids[at - 1]!;
        return `* ${at} FETCH (UID ${uid} RFC822.SIZE ${announcedSizes.get(uid) ?? mails.get(uid)!.length})\r\n`;
      });
    case 'UID FETCH':
      return within(range, uids).flatMap((uid) => {
        const mail = mails.get(uid)!.subarray(0, Number(/<0\.(\d+)>/.exec(command)![1]));
        return [`* ${uids.indexOf(uid) + 1} FETCH (UID ${uid} BODY[]<0> {${mail.length}}\r\n`, mail, ')\r\n'];
      });
    case 'UID SEARCH UID':
      return [`* SEARCH ${within(range, uids).join(' ')}\r\n`];
    case 'UID MOVE': {
      const moved = within(range, uids);
      const gone = moved.map((uid) => {
        const at = [...mails.keys()].toSorted((a, b) => a - b).indexOf(uid) + 1;
        mails.delete(uid);
        return `* ${at} EXPUNGE\r\n`;
      });
      return [`* OK [COPYUID 8 ${moved.join(',')} ${moved.join(',')}] moved\r\n`, ...gone];
    }
    default:
      return [];
  }
}

/** The numbers that a sequence set contains. (RFC 9051, 9) */
function within(set: string, numbers: number[]): number[] {
  const parts = set.split(',').map((part) => part.split(':').map((end) => (end === '*' ? Infinity : Number(end))));
  return numbers.filter((number) => parts.some(([from = 0, to = from]) => number >= from && number <= to));
}
