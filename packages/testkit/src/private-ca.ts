import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const KEY = '-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30';
const FOR_A_SERVER = '-addext basicConstraints=critical,CA:FALSE -addext extendedKeyUsage=serverAuth';
const LOCAL = ['DNS:localhost', 'IP:127.0.0.1'];

/** A certificate that a certificate authority of this test has signed. */
export interface Certificate {
  /** The authority, as PEM: what a client is to trust. */
  ca: string;
  /** Paths of the server's own certificate and key. */
  certificate: string;
  key: string;
}

/** Makes both in the folder; the certificate is for these names. */
export async function makeCertificate(folder: string, names: readonly string[] = LOCAL): Promise<Certificate> {
  const openssl = (args: string) => run('openssl', `req -x509 ${KEY} ${args}`.split(' '), { cwd: folder });
  await openssl('-keyout ca.key -out ca.pem -subj /CN=authority -addext basicConstraints=critical,CA:TRUE');
  const server = `${FOR_A_SERVER} -addext subjectAltName=${names.join(',')}`;
  await openssl(`-keyout server.key -out server.pem -subj /CN=localhost -CA ca.pem -CAkey ca.key ${server}`);
  const file = (name: string) => join(folder, name);
  return { ca: readFileSync(file('ca.pem'), 'utf8'), certificate: file('server.pem'), key: file('server.key') };
}
