import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { decode, encode, type Answer, type DecodedPacket } from 'dns-packet';
import { present } from '@dmarc-ledger/vocabulary';
import { listeningPort } from './listening-port.ts';

/** How a server answers one question. Without any field: a plain NOERROR with these records. */
export interface DnsBehaviour {
  answers?: Answer[];
  /** Records of the authority section; without answers, by default the SOA record of the queried domain. */
  authorities?: Answer[];
  /** Number on the wire: 2 SERVFAIL, 3 NXDOMAIN, 5 REFUSED. */
  rcode?: number;
  /** AA and AD; AA is set by default. */
  authoritative?: boolean;
  authenticated?: boolean;
  delayMs?: number;
  /** No answer at all. */
  drop?: boolean;
  /** Over UDP: TC, and no records. */
  truncated?: boolean;
  /** Over TCP: closed without an answer. */
  closed?: boolean;
  /** Over TCP: writes what it likes in the place of the answer, whose bytes it gets with their length. */
  stream?: (socket: Socket, answer: Buffer) => void;
  /** Answers sent before the right one. */
  forged?: ('id' | 'question' | 'query')[];
  /** The bytes of an answer, built from those of the question. */
  raw?: (query: Buffer) => Buffer;
}

export interface SeenQuestion {
  name: string;
  type: string;
  tcp: boolean;
  recursion: boolean;
  edns: boolean;
}

type Rule = DnsBehaviour | ((question: SeenQuestion) => DnsBehaviour);

/** How questions for a name, in lower case, are answered; for all others `*` decides, else NXDOMAIN. */
export type DnsScenario = { [name: string]: Rule };

/** A name server on loopback, UDP and TCP, with the given faults. */
export interface FaultDns extends AsyncDisposable {
  address: string;
  port: number;
  /** Every question that arrived. */
  readonly seen: SeenQuestion[];
  readonly scenario: DnsScenario;
}

interface ServerPlace {
  address: string;
  port: number;
  /** Refuses connections over TCP. */
  isUdpOnly: boolean;
}

const HOST = '127.0.0.1';
const AA = 0x0400;
const AD = 0x0020;
const TC = 0x0200;
const RD = 0x0100;

/** Default 127.0.0.1 and a free port. */
export async function faultDns(scenario: DnsScenario, at: Partial<ServerPlace> = {}): Promise<FaultDns> {
  const address = at.address ?? HOST;
  const { udp, tcp, port } = await listen(address, at.port ?? 0);
  const server = { address, port, seen: new Array<SeenQuestion>(), scenario };
  const connections = new Set<Socket>();
  let isOpen = true;
  if (at.isUdpOnly) tcp.close();
  udp.on('message', (query, from) => {
    const send = (bytes: Buffer) => isOpen && udp.send(bytes, from.port, from.address);
    void answer(server, query, false, send);
  });
  tcp.on('connection', (socket) => {
    connections.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => connections.delete(socket));
    let arrived = Buffer.alloc(0);
    socket.on('data', (piece) => {
      arrived = Buffer.concat([arrived, piece]);
      if (arrived.length < 2 || arrived.length < 2 + arrived.readUInt16BE(0)) return;
      socket.removeAllListeners('data');
      void answer(server, arrived.subarray(2), true, (bytes, stream) => sendFramed(socket, bytes, stream));
    });
  });
  return {
    ...server,
    async [Symbol.asyncDispose]() {
      isOpen = false;
      for (const socket of connections) socket.destroy();
      if (!at.isUdpOnly) tcp.close();
      udp.close();
      await once(udp, 'close');
    },
  };
}

function sendFramed(socket: Socket, bytes: Buffer | undefined, stream: DnsBehaviour['stream']): void {
  if (!bytes) return void socket.destroy();
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  const framed = Buffer.concat([length, bytes]);
  if (stream) stream(socket, framed);
  else socket.end(framed);
}

async function answer(
  { scenario, seen }: Pick<FaultDns, 'scenario' | 'seen'>,
  bytes: Buffer,
  tcp: boolean,
  send: (bytes: Buffer, stream?: DnsBehaviour['stream']) => unknown,
): Promise<void> {
  const query = decode(bytes);
  const { name, type } = present(query.questions?.[0]);
  const edns = query.additionals?.some((record) => record.type === 'OPT') ?? false;
  const question = { name: name.toLowerCase(), type, tcp, recursion: query.flag_rd, edns };
  seen.push(question);
  const rule = scenario[question.name] ?? scenario['*'] ?? { rcode: 3 };
  const behaviour = typeof rule === 'function' ? rule(question) : rule;
  if (behaviour.delayMs) await sleep(behaviour.delayMs);
  if (behaviour.drop) return;
  if (tcp && behaviour.closed) return void (send as (bytes?: Buffer) => void)();
  for (const forgery of behaviour.forged ?? []) send(forge(query, forgery));
  send(behaviour.raw ? behaviour.raw(bytes) : respond(query, behaviour, tcp), behaviour.stream);
}

function respond(query: DecodedPacket, behaviour: DnsBehaviour, tcp: boolean): Buffer {
  const { authoritative = true, authenticated = false, rcode = 0 } = behaviour;
  const isCut = behaviour.truncated === true && !tcp;
  const flags =
    (authoritative ? AA : 0) | (authenticated ? AD : 0) | (isCut ? TC : 0) | (query.flag_rd ? RD : 0) | rcode;
  const { answers = [], authorities = answers.length > 0 ? [] : zoneOf(present(query.questions?.[0]).name) } =
    behaviour;
  const records = isCut ? {} : { answers, authorities };
  return encode({ type: 'response', id: query.id, flags, questions: query.questions, ...records });
}

/** The last two labels of a name, which a correct server has as a zone. */
function zoneOf(name: string): Answer[] {
  const zone = name.toLowerCase().split('.').slice(-2).join('.');
  const data = {
    mname: `ns.${zone}`,
    rname: `hostmaster.${zone}`,
    serial: 1,
    refresh: 1,
    retry: 1,
    expire: 1,
    minimum: 60,
  };
  return [{ type: 'SOA', name: zone, ttl: 60, data }];
}

function forge(query: DecodedPacket, what: 'id' | 'question' | 'query'): Buffer {
  const lie: Answer[] = [{ type: 'A', name: present(query.questions?.[0]).name, ttl: 60, data: '192.0.2.66' }];
  const id = what === 'id' ? (present(query.id) + 1) % 0x10000 : query.id;
  const questions = what === 'question' ? [{ type: 'A' as const, name: 'forged.example' }] : query.questions;
  return encode({ type: what === 'query' ? 'query' : 'response', id, questions, answers: lie });
}

/** One port for both. */
async function listen(address: string, wanted: number): Promise<{ udp: UdpSocket; tcp: Server; port: number }> {
  for (;;) {
    const tcp = createServer().listen(wanted, address);
    await once(tcp, 'listening');
    const port = listeningPort(tcp);
    const udp = createSocket('udp4');
    udp.bind(port, address);
    const isBound = await once(udp, 'listening').then(
      () => true,
      () => false,
    );
    if (isBound) return { udp, tcp, port };
    tcp.close();
  }
}
