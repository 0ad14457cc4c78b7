import { once } from 'node:events';
import { connect as connectTcp, isIPv6, type Socket } from 'node:net';
import { connect as connectTls, type DetailedPeerCertificate, type TLSSocket } from 'node:tls';
import { MAX_CHAIN, type SmtpTimes } from './limits.ts';
import { ProbeError, unprobed, type CertificateChain, type ProbeFact, type ProbeFailure } from './probe-fact.ts';
import { readReplies, type Reply } from './read-replies.ts';

export interface SmtpServer {
  /** Its name, for SNI in TLS. (RFC 7672, 8.1: the TLSA base domain) */
  host: string;
  address: string;
  port: number;
}

const LEAVE_MS = 1_000;
/** Outcomes after which the server still accepts commands. */
const TALKING = new Set<ProbeFailure>(['rejected', 'no_starttls', 'starttls_rejected']);

/** Starts TLS with a mail server, reads the certificates, and quits: no mail is sent. Nothing is thrown. */
export async function askChain({ host, address, port }: SmtpServer, times: SmtpTimes): Promise<ProbeFact> {
  const lastMs = performance.now() + times.totalMs;
  const plain = connectTcp({ host: address, port }).on('error', ignore);
  try {
    await within(plain, Math.min(times.connectMs, times.totalMs), once(plain, 'connect'));
    const step = <Result>(socket: Socket, result: Promise<Result>) =>
      within(socket, Math.min(times.replyMs, lastMs - performance.now()), result);
    await startTls(plain, step);
    const chain = await shakeHands(plain, host, step);
    return { outcome: 'presented', chains: [chain] };
  } catch (error) {
    if (error instanceof ProbeError && TALKING.has(error.code)) leave(plain);
    else plain.destroy();
    return unprobed(error);
  }
}

type Step = <Result>(socket: Socket, result: Promise<Result>) => Promise<Result>;

/** (RFC 3207, 4) */
async function startTls(socket: Socket, step: Step): Promise<void> {
  const chunks: AsyncIterable<Buffer> = socket.iterator({ destroyOnReturn: false });
  const replies = readReplies(chunks);
  const ask = async (command?: string): Promise<Reply> => {
    if (command !== undefined) socket.write(`${command}\r\n`);
    const { value } = await step(socket, replies.next());
    if (!value) throw new ProbeError('reset');
    return value;
  };
  if ((await ask()).code !== 220) throw new ProbeError('rejected');
  const { code, lines } = await ask(`EHLO ${literalOf(socket.localAddress ?? '')}`);
  if (code !== 250) throw new ProbeError('rejected');
  if (!lines.slice(1).some((line) => /^starttls\s*$/i.test(line))) throw new ProbeError('no_starttls');
  if ((await ask('STARTTLS')).code !== 220) throw new ProbeError('starttls_rejected');
  await replies.return();
}

/** (RFC 5321, 4.1.4: a client without a host name says its address) */
function literalOf(address: string): string {
  return isIPv6(address) ? `[IPv6:${address.replace(/%.*/, '')}]` : `[${address}]`;
}

async function shakeHands(plain: Socket, host: string, step: Step): Promise<CertificateChain> {
  while (plain.read() !== null); // anything received before TLS may be forged: it is discarded (RFC 3207, 6)
  // Authorities are not verified here: the certificates are compared with what DNSSEC says about them.
  const secure = connectTls({ socket: plain, servername: host, rejectUnauthorized: false, ca: [] }).on('error', ignore);
  try {
    await step(secure, once(secure, 'secureConnect'));
  } catch (cause) {
    throw cause instanceof ProbeError ? cause : new ProbeError('tls', { cause });
  }
  const chain = chainOf(secure);
  leave(secure);
  if (chain.length === 0) throw new ProbeError('tls');
  return chain;
}

/** Each certificate followed by its issuer, as far as the server has sent them. */
function chainOf(secure: TLSSocket): CertificateChain {
  const chain: Buffer[] = [];
  // without a certificate all fields are missing; the last certificate may name itself, or none
  let next: Partial<DetailedPeerCertificate> | undefined = secure.getPeerCertificate(true);
  while (next?.raw && chain.length < MAX_CHAIN) {
    chain.push(next.raw);
    next = next.issuerCertificate === next ? undefined : next.issuerCertificate;
  }
  return chain;
}

/** Ends the connection with that error if it takes longer. */
async function within<Result>(socket: Socket, ms: number, result: Promise<Result>): Promise<Result> {
  const timer = setTimeout(() => socket.destroy(new ProbeError('timeout')), ms);
  try {
    return await result;
  } finally {
    clearTimeout(timer);
  }
}

/** Sends QUIT, and does not wait long. */
function leave(socket: Socket): void {
  const timer = setTimeout(() => socket.destroy(), LEAVE_MS);
  socket.once('close', () => clearTimeout(timer));
  socket.end('QUIT\r\n').resume();
}

function ignore(): void {
  // the caller that waits for the connection gets the error
}
