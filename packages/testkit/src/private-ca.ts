import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const KEY = '-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes';
const AUTHORITY = '-addext basicConstraints=critical,CA:TRUE';
const FOR_A_SERVER = '-addext basicConstraints=critical,CA:FALSE -addext extendedKeyUsage=serverAuth';
const LOCAL = ['DNS:localhost', 'IP:127.0.0.1'];
const DAYS = 30;

/** A certificate that the test's own certificate authority has signed. */
export interface Certificate {
  /** The authority, as PEM, for a client to trust. */
  ca: string;
  /** Paths of the server's own certificate and key. */
  certificate: string;
  key: string;
}

/** Creates both in the folder; the certificate is for these names. */
export async function makeCertificate(folder: string, names: readonly string[] = LOCAL): Promise<Certificate> {
  const ca = await issue(folder, { file: 'ca', subject: 'authority', isAuthority: true });
  const { certificate, key } = await issue(folder, { file: 'server', subject: 'localhost', names, by: 'ca' });
  return { ca: readFileSync(ca.certificate, 'utf8'), certificate, key };
}

export interface Issue {
  /** `FILE.pem` and `FILE.key` in the folder. */
  file: string;
  /** The common name. */
  subject: string;
  isAuthority?: boolean;
  /** `DNS:…` and `IP:…`. */
  names?: readonly string[];
  /** The file of the authority that signs; default: its own key. */
  by?: string;
  days?: number;
}

/** Creates one certificate, and its key, in the folder. */
export async function issue(
  folder: string,
  { file, subject, isAuthority = false, names = [], by, days = DAYS }: Issue,
): Promise<{ certificate: string; key: string }> {
  const args = [
    `req -x509 ${KEY} -days ${days} -keyout ${file}.key -out ${file}.pem -subj /CN=${subject}`,
    isAuthority ? AUTHORITY : FOR_A_SERVER,
    ...(names.length > 0 ? [`-addext subjectAltName=${names.join(',')}`] : []),
    ...(by === undefined ? [] : [`-CA ${by}.pem -CAkey ${by}.key`]),
  ];
  await run('openssl', args.join(' ').split(' '), { cwd: folder });
  return { certificate: join(folder, `${file}.pem`), key: join(folder, `${file}.key`) };
}
