import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  cloneDatabase,
  dnsServer,
  httpsServer,
  resolverServer,
  smtpHost,
  type ClonedDatabase,
  type DnsServer,
} from '@dmarc-ledger/testkit';
import { issue } from '@dmarc-ledger/testkit/private-ca';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCommandHost, type Ran } from '../../../test/support/command.ts';
import { temporaryFolder } from '../../../test/support/folder.ts';
import { jsonOf } from '../../../test/support/json-of.ts';
import { failureOf, tlsOf } from './other-deliveries.ts';

const OURS = 'rua=mailto:rua@ledger.example';
const folder = temporaryFolder();
const host = openCommandHost();
let database: ClonedDatabase;

beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  host[Symbol.dispose]();
  folder[Symbol.dispose]();
});

function ran(args: string[], env: { [name: string]: string } = {}): Promise<Ran> {
  return host.run(args, { DATABASE_URL: database.url, DATA_DIR: join(folder.path, 'data'), ...env });
}

const json = (args: string[], env: { [name: string]: string } = {}) => jsonOf(ran([...args, '--json'], env));

async function newOrganization(name: string): Promise<string> {
  return (await json(['org', 'create', name, '--rua', 'rua@ledger.example'])).id;
}

const zoneWith = (record: string) =>
  dnsServer({
    '.': 'ns.test. A 127.0.0.1',
    'firm.com': `_dmarc TXT "${record}"\n_mta-sts TXT "v=STSv1; id=1"\nmta-sts A 127.0.0.1`,
  });
const asking = ({ address, port }: DnsServer) => ({
  DNS_SERVERS: `${address}:${port}`,
  DNS_AUTHORITATIVE_PORT: String(port),
  ALLOW_PRIVATE_ADDRESSES: 'on',
});

describe.concurrent('verify', () => {
  it('shows what a domain publishes, and what it was before', async () => {
    const org = await newOrganization('Verifying');
    await json(['domain', 'add', 'firm.com', '--org', org]);
    await using https = await httpsServer(['mta-sts.firm.com'], {
      'mta-sts.firm.com/.well-known/mta-sts.txt': 'version: STSv1\nmode: none\nmax_age: 60\n',
    });
    const ca = join(folder.path, 'ca.pem');
    writeFileSync(ca, https.ca);
    const sts = { MTA_STS_PORT: String(https.port), MTA_STS_CA_FILE: ca };
    {
      await using before = await zoneWith(`v=DMARC1; p=none; ${OURS}`);
      const { checks } = await json(['verify', 'Firm.COM.', '--org', org], { ...asking(before), ...sts });
      expect(checks.map(({ subject, status }: { [name: string]: string }) => `${subject} ${status}`)).toEqual([
        'dmarc_state verified',
        'forensic_state not_published',
        'tlsrpt_state not_published',
        'aprf_state not_published',
        'dmarc warning',
        'spf error',
        'dkim unknown',
        'mta_sts warning',
        'tls_rpt error',
        'bimi error',
        'dane unknown',
        'aprf unknown',
        'mx ok',
      ]);
    }
    await using after = await zoneWith('v=DMARC1; p=reject');
    const { domain, changes } = await json(['verify', 'firm.com', '--org', org], { ...asking(after), ...sts });
    expect(domain).toBe('firm.com');
    expect(
      changes
        .filter(({ subject }: { subject: string }) => subject.startsWith('dmarc'))
        .map(({ subject, before, status, records }: { [name: string]: unknown }) => ({
          subject,
          before,
          status,
          records,
        }))
        .toSorted((a: { subject: string }, b: { subject: string }) => (a.subject < b.subject ? -1 : 1)),
    ).toEqual([
      { subject: 'dmarc', before: 'warning', status: 'warning', records: ['v=DMARC1; p=reject'] },
      { subject: 'dmarc', before: null, status: 'warning', records: [`v=DMARC1; p=none; ${OURS}`] },
      { subject: 'dmarc_state', before: 'verified', status: 'published_not_ours', records: ['v=DMARC1; p=reject'] },
      { subject: 'dmarc_state', before: null, status: 'verified', records: [`v=DMARC1; p=none; ${OURS}`] },
    ]);
    const { stdout } = await ran(['verify', 'firm.com', '--org', org], { ...asking(after), ...sts });
    expect(stdout).toMatch(/^what +status +details +from +since\ndmarc_state +published_not_ours /);
    expect(stdout).toMatch(/^dmarc +warning +The DMARC record asks for no aggregate reports\. /m);
    expect(stdout).toMatch(/^published +record\n/m);
    expect(stdout).not.toMatch(/^noted/m); // of a record without oddities
    expect(stdout).toMatch(/^at +what +before +now +seen\n/m);
    expect(stdout).toMatch(/dmarc_state +verified +published_not_ours +v=DMARC1; p=reject\n/);
    expect(await json(['domain', 'list', '--org', org])).toEqual([
      {
        org,
        domain: 'firm.com',
        source: 'manual',
        reports: 0,
        verified: null,
        from: null,
        dmarc_state: 'published_not_ours',
        tlsrpt_state: 'not_published',
        forensic_state: 'not_published',
        aprf_state: 'not_published',
      },
    ]);
    expect((await ran(['domain', 'list', '--org', org])).stdout).toMatch(
      /^domain +source +reports +verified +from +dmarc_state/,
    );
  });

  it('does not connect to what is not public unless that is allowed', async () => {
    const org = await newOrganization('Guarded');
    await json(['domain', 'add', 'firm.com', '--org', org]);
    await using dns = await zoneWith(`v=DMARC1; p=none; ${OURS}`);
    const { checks } = await json(['verify', 'firm.com', '--org', org], {
      ...asking(dns),
      ALLOW_PRIVATE_ADDRESSES: 'off',
    });
    expect(checks[0]).toMatchObject({ subject: 'dmarc_state', status: 'unconfirmed' });
  });

  it('compares the certificates of mail servers with what DANE says, when that is switched on', async () => {
    const org = await newOrganization('Probing');
    await json(['domain', 'add', 'firm.com', '--org', org]);
    const { certificate, key } = await issue(folder.path, { file: 'mx', subject: 'mx' });
    const read = (path: string) => readFileSync(path, 'utf8');
    await using mail = await smtpHost({ certificate: read(certificate), key: read(key) });
    const record = `_25._tcp.mx TLSA 3 1 1 ${'ab'.repeat(32)}`;
    const zones = { '.': 'ns.test. A 127.0.0.1', 'firm.com': `@ MX 10 mx\nmx A 127.0.0.1\n${record}` };
    await using dns = await dnsServer(zones, { signed: ['firm.com'] });
    const trustAnchors = await dns.trustAnchors('firm.com');
    await using resolver = await resolverServer({ upstream: dns, zones: Object.keys(zones), trustAnchors });
    const env = { ...asking(dns), DNS_SERVERS: `${resolver.address}:${resolver.port}`, DNS_VALIDATING: 'on' };
    const dane = async (more: { [name: string]: string }) => {
      const { checks } = await json(['verify', 'firm.com', '--org', org], { ...env, ...more });
      const { status, details } = checks.find(({ subject }: { subject: string }) => subject === 'dane');
      return `${status}: ${details}`;
    };
    expect(await dane({})).toBe('ok: All mail servers have matching DANE records.');
    expect(mail.connections()).toBe(0);
    expect(await dane({ SMTP_PROBE: 'on', SMTP_PROBE_PORT: String(mail.port) })).toBe(
      'error: The DANE record of mx.firm.com does not match its certificate.',
    );
  });

  it('knows the organization’s own domains alone', async () => {
    const org = await newOrganization('Alone');
    const { code, stderr } = await ran(['verify', 'elsewhere.com', '--org', org]);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr:
        'dmarc-ledger: The organization does not monitor elsewhere.com; see: dmarc-ledger domain list --org ORG\n',
    });
  });
});

describe.concurrent('tlsrpt list and ruf list', () => {
  it('show the reports that were taken in, of all domains or of one', async () => {
    const org = await newOrganization('Others');
    const place = join(folder.path, 'others');
    mkdirSync(place);
    writeFileSync(join(place, 'one.json'), tlsOf('one', 'firm.com'));
    writeFileSync(join(place, 'two.json'), tlsOf('two', 'shop.com', '2026-03-02'));
    writeFileSync(join(place, 'failure.eml'), failureOf('firm.com'));
    expect(await json(['ingest', place, '--org', org])).toMatchObject({ stored: 3, tlsrpt: 2, ruf: 1 });
    const all = await json(['tlsrpt', 'list', '--org', org]);
    expect(all.map(({ report_id }: { report_id: string }) => report_id)).toEqual(['two', 'one']);
    const [one, ...others] = await json(['tlsrpt', 'list', '--org', org, '--domain', 'FIRM.com']);
    expect(others).toEqual([]);
    expect(one).toMatchObject({
      reporter_name: 'Blue Harbor Mail',
      day: '2026-03-01',
      domains: ['firm.com'],
      successes: 90,
      failures: 10,
    });
    expect(await json(['tlsrpt', 'list', '--org', org, '--limit', '1'])).toHaveLength(1);
    expect((await ran(['tlsrpt', 'list', '--org', org])).stdout).toMatch(
      /^id +received +reporter_name.*\n.* two +2026-03-02 +shop\.com +90 +10/,
    );
    const failures = await json(['ruf', 'list', '--org', org]);
    expect(failures).toMatchObject([
      {
        reported_domain: 'firm.com',
        source_ip: '192.0.2.9',
        auth_failure: 'dmarc',
        delivery_result: 'reject',
        mail_from_domain: 'mailer.example',
      },
    ]);
    const { stdout } = await ran(['ruf', 'list', '--org', org]);
    expect(stdout).toMatch(/^id +received +arrived +reported_domain/);
    expect(JSON.stringify(failures) + stdout).not.toMatch(/anna|secret/i);
    expect((await ran(['ruf', 'list', '--org', org, '--domain', 'shop.com'])).stdout).toBe('none\n');
  });
});

it.concurrent.each<[string, string[], RegExp]>([
  ['no domain', ['verify', '--org', 'x'], /missing required argument 'domain'/],
  ['a name that is no domain', ['verify', 'not a domain', '--org', 'x'], /not a domain is not a domain name/],
  ['an address', ['domain', 'add', '192.0.2.1', '--org', 'x'], /192\.0\.2\.1 is not a domain name/],
  ['a limit that is none', ['ruf', 'list', '--org', 'x', '--limit', '0'], /--limit takes a whole number/],
])('calls %s wrong usage, with 2', async (_, args, sentence) => {
  const { code, stdout, stderr } = await ran(args);
  expect(stderr).toMatch(sentence);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
});
