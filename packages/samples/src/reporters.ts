import { gzipped, gzippedWithLineEnd, plain, zipped } from './containers.ts';
import type { SampleFile, SampleReport } from './facts.ts';
import { bareMail, mailWithText, nestedMail, type Letter } from './mail.ts';
import type { Random } from './random.ts';
import { endOf, reportXml, type Shape } from './report-xml.ts';

/** A reporter: how much mail it receives, how often it reports, and in which shape. */
export interface Reporter {
  host: string;
  share: number;
  /** The percentage of days on which a report comes. */
  regularity: number;
  /** The number of days at the end of the period without its reports. Default 0. */
  silentDays?: number;
  shape: Shape;
  reportId: (domain: string, begin: number, random: Random) => string;
  pack: (name: string, xml: string) => SampleFile;
  /** Left out: the file without a mail. */
  mail?: { write: (letter: Letter) => Buffer; type: string };
}

/** The file, or the mail with the file, that this reporter sends for a report. */
export function sendReport(report: SampleReport, { host, shape, pack, mail }: Reporter): SampleFile {
  const domain = report.domain.name;
  const name = `${host}!${domain}!${report.begin}!${endOf(report, shape)}`;
  const attachment = pack(name, reportXml(report, shape));
  if (!mail) return attachment;
  const letter: Letter = {
    from: shape.email,
    to: `dmarc@${domain}`,
    subject: `Report Domain: ${domain} Submitter: ${host} Report-ID: ${report.reportId}`,
    sentAt: new Date((report.end + 3 * 3_600) * 1000),
    attachment,
    attachmentType: mail.type,
  };
  return { name: `${name}.eml`, bytes: mail.write(letter) };
}

const digits =
  (count: number): Reporter['reportId'] =>
  (_domain, _begin, random) =>
    random.digits(count);
const hex =
  (count: number): Reporter['reportId'] =>
  (_domain, _begin, random) =>
    random.hex(count);
const gzip = 'application/gzip';

/** Invented reporters, each with a shape that occurs in the wild. */
export const reporters: Reporter[] = [
  {
    host: 'gomail.example',
    share: 0.42,
    regularity: 100,
    shape: {
      orgName: 'gomail.example',
      email: 'noreply-dmarc@gomail.example',
      extraContactInfo: 'https://gomail.example/dmarc',
      indent: '  ',
    },
    reportId: digits(20),
    pack: zipped,
  },
  {
    host: 'enterprise.lookout.example',
    share: 0.2,
    regularity: 97,
    shape: {
      orgName: 'Enterprise Lookout',
      email: 'dmarcreport@lookout.example',
      indent: '',
      version: '1.0',
      withFailureOptions: true,
      withEnvelopeFrom: true,
      withEnvelopeTo: true,
      withScope: true,
    },
    reportId: hex(32),
    pack: gzipped,
    mail: { write: nestedMail, type: gzip },
  },
  {
    host: 'yoohoo.example',
    share: 0.13,
    regularity: 97,
    // a large reporter that stopped, as happens when its reports are sent to a mailbox that is full
    silentDays: 12,
    shape: { orgName: 'Yoohoo', email: 'dmarchelp@yoohoo.example', indent: '  ', version: '1.0', withScope: false },
    reportId: (_domain, begin, random) => `${begin + 86_400 + random.below(9_000)}.${random.digits(6)}`,
    pack: gzipped,
    mail: { write: mailWithText, type: gzip },
  },
  {
    host: 'pochta.example',
    share: 0.05,
    regularity: 45,
    shape: {
      orgName: 'Pochta.example',
      email: 'dmarc_support@pochta.example',
      extraContactInfo: 'https://help.pochta.example/mail-help',
      indent: '  ',
      endsAtMidnight: true,
    },
    reportId: digits(38),
    pack: gzipped,
  },
  {
    host: 'openmail.example',
    share: 0.03,
    regularity: 45,
    shape: {
      orgName: 'Openmail Collective',
      email: 'postmaster@openmail.example',
      indent: '  ',
      root: 'xmlns="urn:ietf:params:xml:ns:dmarc-2.0"',
      version: '1.0',
      generator: 'ledger-sample 2.1',
      discoveryMethod: 'treewalk',
      withFailureOptions: true,
      withEnvelopeFrom: true,
      withScope: true,
    },
    reportId: (domain, begin, random) => `${begin}.${random.hex(12)}@${domain}`,
    pack: gzipped,
    mail: { write: mailWithText, type: gzip },
  },
  {
    host: 'riverside-ses.example',
    share: 0.02,
    regularity: 25,
    shape: {
      orgName: 'Riverside SES',
      email: 'postmaster@riverside-ses.example',
      indent: '',
      version: '1.0',
      withFailureOptions: true,
      withEnvelopeFrom: true,
    },
    reportId: (_domain, _begin, random) =>
      `${random.hex(8)}-${random.hex(4)}-4${random.hex(3)}-a${random.hex(3)}-${random.hex(12)}`,
    pack: gzipped,
    mail: { write: bareMail, type: 'application/octet-stream' },
  },
  {
    host: 'coaxcast.example',
    share: 0.05,
    regularity: 40,
    // a result that is not in the standard, as an old library writes it
    shape: {
      orgName: 'Coaxcast',
      email: 'dmarc@coaxcast.example',
      indent: '\t',
      version: '1.0',
      spfResult: (result) => (result === 'fail' ? 'hardfail' : result),
    },
    reportId: (domain, begin) => `${domain}.${begin}.coax`,
    pack: gzipped,
  },
  {
    host: 'mimicast.example',
    share: 0.03,
    regularity: 30,
    shape: {
      orgName: 'Mimicast',
      email: 'no-reply@mimicast.example',
      indent: ' ',
      version: '1.0',
      withEnvelopeFrom: true,
      withScope: true,
    },
    reportId: hex(64),
    pack: gzippedWithLineEnd,
  },
  {
    host: 'quickmail.example',
    share: 0.03,
    regularity: 40,
    shape: {
      orgName: 'Quickmail Pty Ltd',
      email: 'reports@quickmail.example',
      indent: '  ',
      version: '1.0',
      withEnvelopeFrom: true,
      withFailureOptions: true,
    },
    reportId: digits(10),
    pack: gzipped,
    mail: { write: mailWithText, type: gzip },
  },
  {
    host: 'tinyhost.example',
    share: 0.01,
    regularity: 20,
    // the address as a person typed it, and no selectors
    shape: {
      orgName: 'tinyhost',
      email: 'root@tinyhost.example',
      indent: '',
      withoutSelector: true,
      sourceIp: (ip) => ` ${ip} `,
    },
    reportId: digits(8),
    pack: plain,
  },
  {
    host: 'mx.librehost.example',
    share: 0.01,
    regularity: 25,
    shape: {
      orgName: 'mx.librehost.example',
      email: 'postmaster@librehost.example',
      indent: '\t',
      spfResult: (result) => (result === 'none' ? 'unknown' : result),
    },
    reportId: (domain, begin) => `${domain}:${begin + 86_400}`,
    pack: gzipped,
  },
  {
    host: 'sakura-mail.example',
    share: 0.02,
    regularity: 30,
    shape: {
      orgName: 'さくらメール株式会社',
      email: 'dmarc@sakura-mail.example',
      indent: '  ',
      version: '1.0',
      withEnvelopeTo: true,
      withEnvelopeFrom: true,
      withScope: true,
    },
    reportId: (_domain, begin, random) => `sakura-${begin}-${random.digits(5)}`,
    pack: zipped,
  },
];
