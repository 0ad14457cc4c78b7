import { createHash, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { issue } from '@dmarc-ledger/testkit/private-ca';
import type { TlsaRecord } from '@dmarc-ledger/dns-records';

/** Certificates by name: `root` has signed `middle`, and `middle` the servers. */
export type Certificates = { [name: string]: X509Certificate };

export async function makeChains(): Promise<Certificates> {
  const folder = mkdtempSync(join(tmpdir(), 'dmarc-ledger-test-chains-'));
  const authority = { isAuthority: true, days: 300 };
  await issue(folder, { file: 'root', subject: 'root', ...authority });
  await issue(folder, { file: 'middle', subject: 'middle', by: 'root', ...authority });
  await issue(folder, { file: 'stranger', subject: 'middle', ...authority }); // of the same name
  await issue(folder, { file: 'brief', subject: 'brief', isAuthority: true, days: 30 });
  await issue(folder, { file: 'mx', subject: 'mx', names: ['DNS:mx.firm.com'], by: 'middle', days: 100 });
  await issue(folder, { file: 'domain', subject: 'mx', names: ['DNS:firm.com'], by: 'middle' });
  await issue(folder, { file: 'star', subject: 'mx', names: ['DNS:*.firm.com'], by: 'middle' });
  await issue(folder, { file: 'part', subject: 'mx', names: ['DNS:m*.firm.com'], by: 'middle' });
  await issue(folder, { file: 'deep', subject: 'mx', names: ['DNS:*.com'], by: 'middle' });
  await issue(folder, { file: 'common', subject: 'mx.firm.com', by: 'middle' });
  await issue(folder, { file: 'other', subject: 'mx.firm.com', names: ['DNS:mx.other.com'], by: 'middle' });
  await issue(folder, { file: 'forged', subject: 'mx', names: ['DNS:mx.firm.com'], by: 'stranger' });
  await issue(folder, { file: 'early', subject: 'mx', names: ['DNS:mx.firm.com'], by: 'brief', days: 300 });
  await issue(folder, { file: 'alone', subject: 'mx', names: ['DNS:mx.firm.com'] });
  // of one that may not sign
  await issue(folder, { file: 'child', subject: 'mx', names: ['DNS:mx.firm.com'], by: 'alone' });
  const names = ['root', 'middle', 'stranger', 'brief', 'mx', 'domain', 'star', 'part', 'deep', 'common', 'other'];
  const made = [...names, 'forged', 'early', 'alone', 'child'].map((name) => {
    return [name, new X509Certificate(readFileSync(join(folder, `${name}.pem`)))] as const;
  });
  rmSync(folder, { recursive: true, force: true });
  return Object.fromEntries(made);
}

/** A record such as `3 1 1` of a certificate. */
export function tlsaOf(parameters: string, certificate: X509Certificate): TlsaRecord {
  const [usage = 0, selector = 0, matching = 0] = parameters.split(' ').map(Number);
  const selected = selector === 0 ? certificate.raw : certificate.publicKey.export({ type: 'spki', format: 'der' });
  const digest = matching === 1 ? 'sha256' : 'sha512';
  return { usage, selector, matching, data: matching === 0 ? selected : createHash(digest).update(selected).digest() };
}
