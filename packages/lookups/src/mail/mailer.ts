import { printableText, present } from '@dmarc-ledger/vocabulary';
import { createTransport } from 'nodemailer';
import { mailFailure, type MailFact } from './mail-fact.ts';
import { openSocket } from './open-socket.ts';
import { Patience, type Handing, type Hold } from './patience.ts';

export type { MailFact } from './mail-fact.ts';
export type { Hold } from './patience.ts';

export interface MailerOptions {
  /** `smtp:` (STARTTLS if offered, and always with a password) or `smtps:`, optionally with user and password. */
  url: string;
  /** An address, or a name and an address in angle brackets. */
  from: string;
  /** PEM of the authorities to trust instead of the system's. */
  ca?: string;
  /** For each step. Default 10 s. */
  timeoutMs?: number;
  /** For all steps together. Default 45 s. */
  totalMs?: number;
  /** Beyond that, for the answer to a mail that is held, once all of it is sent. Default 10 minutes. */
  answerMs?: number;
}

/** A mail. Others may choose its texts: none of them becomes a header, or a second line of one. */
export interface Mail {
  to: readonly string[];
  subject: string;
  text: string;
  /** The same with markup; unset: plain text alone. */
  html?: string;
  /** Ends the list with one click (RFC 8058); unset: it is ended elsewhere. */
  unsubscribe?: string | undefined;
  /** The same at every attempt, so that mail programs recognise repeats: left of the `@`. */
  id: string;
  /** Its list (RFC 2919): left of our domain. */
  list: { id: string; name: string };
}

export interface Mailer {
  /** Nothing is thrown. `hold`: waits longer for the answer to a whole mail, a few mails at a time. */
  send: (mail: Mail, hold?: Hold) => Promise<MailFact>;
}

const TIMEOUT_MS = 10_000;
const TOTAL_MS = 45_000;
const ANSWER_MS = 600_000;
const USUAL_PORT: { [protocol: string]: number } = { 'smtp:': 587, 'smtps:': 465 };
const LONGEST_SUBJECT = 200;
const LONGEST_LINE = 2_000;

/** Sends mail by the operator's server. */
export function openMailer(options: MailerOptions): Mailer {
  const { url, from, ca, timeoutMs = TIMEOUT_MS, totalMs = TOTAL_MS, answerMs = ANSWER_MS } = options;
  const { protocol, hostname, port, username, password } = new URL(url);
  const place = { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port) || present(USUAL_PORT[protocol]) };
  const settings = {
    ...place,
    secure: protocol === 'smtps:',
    requireTLS: username !== '', // a password is never sent without TLS
    ...(username && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    tls: { minVersion: 'TLSv1.2', ...(ca && { ca }) },
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  } as const;
  const domain = domainOf(from);
  const hand = async (
    { to, subject, text, html, unsubscribe, id, list }: Mail,
    { signal, onWhole }: Handing,
    socketTimeout: number,
  ): Promise<MailFact> => {
    try {
      const connection = await openSocket(place, timeoutMs, signal);
      const transport = createTransport({ ...settings, socketTimeout, connection });
      transport.use('stream', ({ message }, done) => {
        message.processFunc((source) => source.once('end', onWhole));
        done();
      });
      const { response, rejected } = await transport.sendMail({
        from,
        to: [...to],
        subject: printableText(subject, LONGEST_SUBJECT),
        text: inertLines(text),
        ...(html !== undefined && { html }),
        messageId: `<${id}@${domain}>`,
        headers: {
          'Auto-Submitted': 'auto-generated', // RFC 3834, section 5
          'List-Id': `${printableText(list.name, 60)} <${list.id}.${domain}>`,
          ...(unsubscribe !== undefined && oneClick(unsubscribe)),
        },
      });
      return { outcome: 'taken', status: statusOf(response), refused: rejected.length };
    } catch (error) {
      return mailFailure(error);
    }
  };
  const patience = new Patience({ totalMs, answerMs });
  return {
    send: (mail, hold) => patience.run((handing) => hand(mail, handing, hold ? totalMs + answerMs : timeoutMs), hold),
  };
}

/** (RFC 2369, 3.2; RFC 8058, 3.1) */
function oneClick(url: string) {
  return { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
}

/** Removes control characters, and those that change the direction of text. */
function inertLines(text: string): string {
  return text
    .split('\n')
    .map((line) => printableText(line, LONGEST_LINE))
    .join('\n');
}

function domainOf(from: string): string {
  return present(from.replace(/>\s*$/, '').split('@').at(-1)).trim().toLowerCase();
}

function statusOf(response: string): number {
  return Number(response.slice(0, 3)) || 250;
}
