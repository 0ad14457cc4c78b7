import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Random } from '@dmarc-ledger/testkit/random';
import type { TrueReport } from './truth.ts';

/** Reports as files, and what is in them. */
export interface Corpus {
  reports: TrueReport[];
  files: { name: string; bytes: Buffer }[];
  /** The number of damaged files, and of files with the content of another. */
  broken: number;
  duplicates: number;
}

const DAY = 86_400;
const DOMAINS = ['alpha.example', 'beta.example', 'gamma.example', 'mail.alpha.example'];
const REPORTERS = ['google.example', 'Yahoo', 'Enterprise Outlook', '"Bücher & Söhne" GmbH', 'kddi.example'];

/**
 * So many reports of the last weeks, the same for the same seed: plain and odd windows, ends at midnight, harmless
 * quirks, files, archives and mails; some sent twice in another wrapping, some damaged besides.
 */
export function makeCorpus(count: number, seed: number): Corpus {
  const random = new Random(seed);
  const ips = Array.from({ length: 60 }, (_, i) =>
    i % 6 ? `192.0.${i % 3}.${i + 1}` : `2001:db8::${(i + 1).toString(16)}`,
  );
  const lastDay = Math.floor(Date.now() / 1000 / DAY) - 3;
  const corpus: Corpus = { reports: [], files: [], broken: 0, duplicates: 0 };
  for (let i = 0; i < count; i += 1) {
    const [begin, end] = makeWindow(lastDay - (i % 21), random);
    const records = Array.from({ length: 1 + random.below(6) }, () => ({
      ip: ips[Math.floor(ips.length * random.next() ** 2)]!,
      count: 1 + random.below(random.chance(0.1) ? 100_000 : 50),
      dkim: random.chance(0.7),
      spf: random.chance(0.6),
    }));
    const report = { reportId: `r-${seed}-${i}`, domain: random.pick(DOMAINS), begin, end, records };
    const xml = reportXml(report, random);
    const put = (bytes: Buffer, ending: string) =>
      corpus.files.push({ name: `${String(corpus.files.length).padStart(5, '0')}.${ending}`, bytes });
    corpus.reports.push(report);
    put(...wrapped(xml, random));
    if (random.chance(0.06)) {
      put(...wrapped(xml, random));
      corpus.duplicates += 1;
    }
    if (random.chance(0.04)) {
      const damaged = gzipSync(Buffer.from(xml.toString().replaceAll(report.reportId, `damaged-${i}`)));
      put(damaged.subarray(0, Math.floor(damaged.length / 2)), 'xml.gz');
      corpus.broken += 1;
    }
  }
  return corpus;
}

/** Writes the files into as many folders, in a random order, each file into one of them. */
export function writeCorpus({ files }: Pick<Corpus, 'files'>, folders: readonly string[], seed: number): void {
  const random = new Random(seed);
  for (const folder of folders) mkdirSync(folder, { recursive: true });
  for (const [position, { name, bytes }] of random.shuffled(files).entries())
    writeFileSync(join(random.pick(folders), `${String(position).padStart(5, '0')}-${name}`), bytes);
}

/** A whole day that ends at its last second or at midnight, or a window that begins at any hour. */
function makeWindow(day: number, random: Random): [number, number] {
  if (random.chance(0.1)) {
    const begin = day * DAY + random.below(24) * 3600;
    return [begin, begin + DAY];
  }
  return [day * DAY, day * DAY + (random.chance(0.4) ? DAY : DAY - 1)];
}

function reportXml({ reportId, domain, begin, end, records }: TrueReport, random: Random): Buffer {
  const isOdd = random.chance(0.2);
  const word = (passed: boolean) => (passed ? 'pass' : 'fail');
  const rows = records.map(
    ({ ip, count, dkim, spf }) => `<record><row><source_ip>${ip}</source_ip><count>${count}</count>
<policy_evaluated><disposition>none</disposition><dkim>${word(dkim)}</dkim><spf>${word(spf)}</spf></policy_evaluated></row>
<identifiers><header_from>${domain}</header_from></identifiers><auth_results>
<dkim><domain>${dkim ? domain : 'elsewhere.example'}</domain><selector>s1</selector><result>pass</result></dkim>
<spf><domain>${domain}</domain><scope>mfrom</scope><result>${spf ? 'pass' : 'softfail'}</result></spf></auth_results></record>`,
  );
  const reporter = random.pick(REPORTERS).replace('&', '&amp;');
  return Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>
<feedback>${isOdd ? '' : '<version>1.0</version>'}<report_metadata><org_name>${reporter}</org_name>
<email>dmarc@reporter.example</email><report_id>${reportId}</report_id>
<date_range><begin>${begin}</begin><end>${end}</end></date_range></report_metadata>
<policy_published><domain>${isOdd ? domain.toUpperCase() : domain}</domain><adkim>r</adkim><aspf>r</aspf><p>none</p>
${isOdd ? '<sp></sp>' : '<sp>none</sp>'}<pct>100</pct></policy_published>
${rows.join('\n')}
</feedback>${random.chance(0.2) ? '\n' : ''}`);
}

function wrapped(xml: Buffer, random: Random): [Buffer, string] {
  const way = random.below(4);
  if (way === 0) return [xml, 'xml'];
  if (way === 1) return [mail(gzipSync(xml)), 'eml'];
  return [gzipSync(xml, { level: 1 + random.below(9) }), 'xml.gz'];
}

function mail(attachment: Buffer): Buffer {
  const lines = attachment.toString('base64').match(/.{1,76}/g) ?? [];
  return Buffer.from(`From: dmarc@reporter.example
To: reports@example.com
Subject: Report
MIME-Version: 1.0
Content-Type: application/gzip; name="report.xml.gz"
Content-Transfer-Encoding: base64
Content-Disposition: attachment; filename="report.xml.gz"

${lines.join('\n')}
`);
}
