import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { TLSSocket } from 'node:tls';
import { SMTPServer } from 'smtp-server';
import { listeningPort } from './listening-port.ts';

/** A mail server on loopback. */
export interface SmtpHost extends AsyncDisposable {
  port: number;
  /** The name that each client requested in TLS, or `none`, in order. */
  readonly secured: readonly string[];
  /** Connections so far. */
  connections(): number;
  /** Mails that clients have begun to send. */
  mails(): number;
  /** Mails that were received completely, in order. */
  readonly taken: readonly TakenMail[];
  /** Recipients are refused with this status from now on; 0: none. */
  refuse(status: number): void;
  /** Takes whole mails, and answers only once the returned function is called. */
  holdAnswers(): () => void;
  /** Has another certificate from now on. */
  present(tls: Pick<SmtpHostOptions, 'certificate' | 'key'>): void;
}

export interface TakenMail {
  from: string;
  to: string[];
  /** With its header. */
  text: string;
  /** The user that signed in. */
  user: string | null;
  isSecure: boolean;
}

export interface SmtpHostOptions {
  /** PEM; the chain after the certificate in the same text. */
  certificate: string;
  key: string;
  /** Default 127.0.0.1, and a free port. */
  address?: string;
  port?: number;
  /** Default true. */
  hasTls?: boolean;
  /** TLS from the start of each connection. Default false. */
  isImplicit?: boolean;
  /** The password that is accepted for any user. */
  password?: string;
}

export async function smtpHost({
  certificate,
  key,
  address = '127.0.0.1',
  port = 0,
  hasTls = true,
  isImplicit = false,
  password,
}: SmtpHostOptions): Promise<SmtpHost> {
  const secured: string[] = [];
  const taken: TakenMail[] = [];
  let refusal = 0;
  let mayAnswer = Promise.resolve();
  let connections = 0;
  let mails = 0;
  const server = new SMTPServer({
    cert: certificate,
    key,
    secure: isImplicit,
    authOptional: true,
    disableReverseLookup: true,
    disabledCommands: hasTls ? [] : ['STARTTLS'],
    onConnect(_, done) {
      connections += 1;
      done();
    },
    onSecure(socket, _, done) {
      // types leave the name out
      secured.push((socket as TLSSocket & { servername?: string | false }).servername || 'none');
      done();
    },
    onMailFrom(_address, _session, done) {
      mails += 1;
      done();
    },
    onRcptTo(_address, _session, done) {
      done(refusal === 0 ? undefined : Object.assign(new Error('not here'), { responseCode: refusal }));
    },
    onAuth({ username, password: given }, _session, done) {
      if (given === password) done(null, { user: username });
      else done(new Error('wrong password'));
    },
    onData(stream, { envelope, user, secure }, done) {
      const take = async () => {
        const mail = await text(stream);
        const from = envelope.mailFrom ? envelope.mailFrom.address : '';
        const to = envelope.rcptTo.map(({ address: one }) => one);
        taken.push({ from, to, text: mail, user: user ? String(user) : null, isSecure: secure });
      };
      const answer = async () => {
        await mayAnswer;
        done();
      };
      stream.once('end', () => void answer());
      void take();
    },
  });
  server.on('error', () => {}); // a client that is gone is no fault of the test
  const listening = server.listen(port, address);
  await once(listening, 'listening');
  return {
    port: listeningPort(listening),
    secured,
    connections: () => connections,
    mails: () => mails,
    taken,
    refuse: (status) => void (refusal = status),
    holdAnswers() {
      const { promise, resolve } = Promise.withResolvers<void>();
      mayAnswer = promise;
      return resolve;
    },
    present: (tls) => server.updateSecureContext({ cert: tls.certificate, key: tls.key }),
    async [Symbol.asyncDispose]() {
      for (const connection of server.connections) connection.close();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
