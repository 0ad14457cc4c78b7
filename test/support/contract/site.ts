import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { awayFromTheTurn, dnsServer, reputationServer } from '@dmarc-ledger/testkit';
import { addDays, dayOf, startOfDay } from '@dmarc-ledger/vocabulary';
import { runCommand } from '../command.ts';
import { startInstance, type Instance } from '../instance.ts';
import { tlsOf } from '../../../services/cli/test/other-deliveries.ts';

const OURS = 'rua@ledger.example';

/** The addresses in the reports: a good server, a listed spammer, a forwarder, and an unknown one. */
export const addresses = { good: '45.0.0.1', listed: '45.0.0.2', forwarder: '45.0.0.3', unknown: '45.0.0.4' };
export const domains = { full: 'firm.com', below: 'mail.firm.com', bare: 'bare.com', calm: 'calm.com' };

/** An instance with a world around it, into which reports of every kind have been taken in. */
export interface Site extends AsyncDisposable {
  instance: Instance;
  orgId: string;
  /** A command on its ledger. */
  ran: (...args: string[]) => Promise<string>;
}

export async function openSite(folder: string): Promise<Site> {
  await awayFromTheTurn();
  const yesterday = addDays(dayOf(Date.now() / 1_000), -1);
  const dns = await dnsServer(zones());
  const reputation = await reputationServer({
    [addresses.listed]: {
      data: {
        ipAddress: addresses.listed,
        abuseConfidenceScore: 92,
        totalReports: 40,
        usageType: 'Data Center/Web Hosting/Transit',
        lastReportedAt: `${yesterday}T10:00:00+00:00`,
        reports: [{ categories: [11] }],
        isTor: false,
      },
    },
  });
  const reports = join(folder, 'reports');
  mkdirSync(reports);
  for (const [name, content] of Object.entries(deliveries(yesterday))) writeFileSync(join(reports, name), content);
  const lists = join(folder, 'lists.json');
  writeFileSync(lists, JSON.stringify(blocklists));
  const dataDir = join(folder, 'data');
  const env = {
    DNS_SERVERS: `${dns.address}:${dns.port}`,
    DNS_AUTHORITATIVE_PORT: String(dns.port),
    ALLOW_PRIVATE_ADDRESSES: 'on',
    ABUSEIPDB_API_KEY: 'a-key',
    ABUSEIPDB_URL: reputation.url,
    BLOCKLISTS_FILE: lists,
    ABUSE_LIMIT_PER_MINUTE: '100000',
  };
  const ran = async (...args: string[]) => {
    const { code, stdout, stderr } = await runCommand(args, { DATA_DIR: dataDir, ...env });
    if (code !== 0) throw new Error(`${args.join(' ')}: ${stderr}`);
    return stdout;
  };
  const instance = await startInstance(dataDir, ['--no-samples'], env);
  const [{ id: orgId }] = JSON.parse(await ran('org', 'list', '--json')) as [{ id: string }];
  await ran('plan', 'set', 'metered', '--hourly-quota', '1000000', '--api', 'on');
  await ran('org', 'set', orgId, '--plan', 'metered', '--rua', OURS);
  await ran('domain', 'add', domains.full, '--org', orgId, '--tlsrpt', '--forensic', '--aprf');
  await ran('ingest', reports, '--org', orgId);
  for (const domain of Object.values(domains)) await ran('verify', domain, '--org', orgId);
  for (const address of Object.values(addresses)) await ran('enrich', address);
  return {
    instance,
    orgId,
    ran,
    async [Symbol.asyncDispose]() {
      await instance.end('SIGKILL');
      await dns[Symbol.asyncDispose]();
      await reputation[Symbol.asyncDispose]();
    },
  };
}

const blocklists = {
  built_in: false,
  lists: [
    {
      id: 'harbor',
      name: 'Harbor list',
      zone: 'bl.test',
      rank: 1,
      tier: 3,
      category: 'spam',
      ingest: true,
      delist_url: 'https://bl.test/',
    },
  ],
};

function zones() {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const key = publicKey
    .export({ type: 'spki', format: 'der' })
    .toString('base64')
    .match(/.{1,200}/g)!
    .join('" "');
  return {
    '.': 'ns.test. A 127.0.0.1',
    'firm.com': [
      `_dmarc TXT "v=DMARC1; p=quarantine; rua=mailto:${OURS}; ruf=mailto:${OURS}"`,
      '@ TXT "v=spf1 ip4:45.0.0.1 -all"',
      `s1._domainkey TXT "v=DKIM1; k=rsa; p=${key}"`,
      `_smtp._tls TXT "v=TLSRPTv1; rua=mailto:${OURS}"`,
      '@ MX 10 mx.firm.com.',
      'mx A 45.0.0.1',
      'out A 45.0.0.1',
    ].join('\n'),
    'bare.com': '@ A 45.0.0.9',
    // it has no action item, although half of its mail fails
    'calm.com': [
      `_dmarc TXT "v=DMARC1; p=reject; rua=mailto:${OURS}"`,
      '@ TXT "v=spf1 ip4:45.0.0.1 -all"',
      `s1._domainkey TXT "v=DKIM1; k=rsa; p=${key}"`,
    ].join('\n'),
    'sendgrid.net': 'o1 A 45.0.0.3',
    '0.0.45.in-addr.arpa': '1 PTR out.firm.com.\n3 PTR o1.sendgrid.net.',
    'bl.test': '2.0.0.45 A 127.0.0.2\n2.0.0.45 TXT "Sends spam"\n2.0.0.127 A 127.0.0.2',
  };
}

function deliveries(yesterday: string): { [name: string]: string | Buffer } {
  const record = (ip: string, count: number, passes: boolean, more = '', domain = domains.full) => `
    <record><row><source_ip>${ip}</source_ip><count>${count}</count><policy_evaluated>
      <disposition>${passes ? 'none' : 'quarantine'}</disposition><dkim>${passes ? 'pass' : 'fail'}</dkim><spf>fail</spf>${more}
    </policy_evaluated></row><identifiers><envelope_to>rcpt.example</envelope_to><envelope_from>${domain}</envelope_from>
      <header_from>${domain}</header_from></identifiers>
      <auth_results><dkim><domain>${domain}</domain><selector>s1</selector><result>${passes ? 'pass' : 'fail'}</result>
        <human_result>as seen</human_result></dkim>
        <spf><domain>relay.example</domain><scope>mfrom</scope><result>fail</result><human_result>no</human_result></spf>
      </auth_results></record>`;
  const report = (id: string, domain: string, records: string) => {
    const begin = startOfDay(yesterday);
    return `<?xml version="1.0"?><feedback xmlns="urn:ietf:params:xml:ns:dmarc-2.0"><version>1.0</version>
      <report_metadata><org_name>Harbor</org_name><email>r@harbor.example</email><extra_contact_info>call</extra_contact_info>
      <report_id>${id}</report_id><date_range><begin>${begin}</begin><end>${begin + 86_399}</end></date_range>
      <error>a slow name server</error><generator>Harbor 1.0</generator></report_metadata>
      <policy_published><domain>${domain}</domain><adkim>r</adkim><aspf>s</aspf><p>quarantine</p><sp>reject</sp><np>reject</np>
      <pct>90</pct><fo>1</fo><testing>n</testing><psd>n</psd><discovery_method>treewalk</discovery_method></policy_published>
      ${records}</feedback>`;
  };
  const forwarded = '<reason><type>mailing_list</type><comment>a list</comment></reason>';
  const placement = {
    header: {
      version: 7,
      source: 'Harbor Mail',
      dkim_domain: domains.full,
      dkim_selector: 's1',
      report_start: startOfDay(yesterday),
      report_end: startOfDay(yesterday) + 86_399,
      contact_info: 'aprf@harbor.example',
      sdi_used: 'X-Stream',
      extra_info: 'rounded up',
    },
    body: [{ segment: ['weekly'], classification: { inbox: 400, unwanted: 20 }, engagement: { positive: 30 } }],
  };
  return {
    '1.xml': report(
      'harbor-1',
      domains.full,
      record(addresses.good, 800, true) +
        record(addresses.listed, 90, false) +
        record(addresses.forwarder, 30, false, forwarded) +
        record(addresses.unknown, 10, false),
    ),
    '2.xml': report('harbor-2', domains.below, record(addresses.good, 10, true, '', domains.below)),
    '3.xml': report('harbor-3', domains.bare, record(addresses.good, 5, false, '', domains.bare)).replace(
      '<disposition>quarantine<',
      '<disposition>Quarantine<',
    ),
    '4.xml': report(
      'harbor-4',
      domains.calm,
      record(addresses.good, 5, true, '', domains.calm) + record(addresses.unknown, 5, false, '', domains.calm),
    ),
    'tls.json': tlsOf('tls-1', domains.full, yesterday),
    'aprf.json': JSON.stringify([placement]),
  };
}
