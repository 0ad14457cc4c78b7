import { Random } from './random.ts';

/** A report as a test describes it; all other fields have plain values. */
export interface DescribedReport {
  reporter?: string;
  email?: string;
  id?: string;
  domain?: string;
  /** First second of the one-day window. */
  begin?: number;
  end?: number;
  /** Default none. */
  p?: string;
  /** Default: the same as `p`. */
  sp?: string;
  records?: {
    ip: string;
    count: number;
    dkim?: 'pass' | 'fail';
    spf?: 'pass' | 'fail';
    spfDomain?: string;
    /** The SPF result of that domain, where it is not the outcome. */
    spfResult?: string;
    /** The selector of the signature. Default s1; empty: the reporter names none. */
    selector?: string;
    reason?: string;
    headerFrom?: string;
  }[];
}

export const DAY_ONE = 1_767_225_600; // 2026-01-01T00:00:00Z

/** An aggregate report in the RFC 7489 shape. */
export function reportXml({
  reporter = 'Reporter',
  email = 'dmarc@reporter.example',
  id = 'r-1',
  domain = 'example.com',
  ...rest
}: DescribedReport = {}): Buffer {
  const {
    p = 'none',
    sp = p,
    begin = DAY_ONE,
    end = begin + 86_399,
    records = [{ ip: '192.0.2.1', count: 1, dkim: 'pass' as const }],
  } = rest;
  const rows = records.map(({ ip, count, dkim = 'fail', spf = 'fail', reason, selector = 's1', ...mail }) => {
    const { spfDomain = domain, spfResult = spf, headerFrom = domain } = mail;
    return `
    <record><row><source_ip>${ip}</source_ip><count>${count}</count><policy_evaluated><disposition>none</disposition>
      <dkim>${dkim}</dkim><spf>${spf}</spf>${reason ? `<reason><type>${reason}</type></reason>` : ''}
      </policy_evaluated></row>
      <identifiers><header_from>${headerFrom}</header_from></identifiers>
      <auth_results><dkim><domain>${domain}</domain>
          ${selector === '' ? '' : `<selector>${selector}</selector>`}<result>${dkim}</result></dkim>
        <spf><domain>${spfDomain}</domain><scope>mfrom</scope><result>${spfResult}</result></spf>
      </auth_results></record>`;
  });
  return Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>
<feedback><version>1.0</version>
  <report_metadata><org_name>${reporter}</org_name><email>${email}</email><report_id>${id}</report_id>
    <date_range><begin>${begin}</begin><end>${end}</end></date_range></report_metadata>
  <policy_published><domain>${domain}</domain><adkim>r</adkim><aspf>r</aspf>
    <p>${p}</p><sp>${sp}</sp><pct>100</pct></policy_published>${rows.join('')}
</feedback>`);
}

/** More than is read as a whole, with which a report is streamed. */
const LONG_BYTES = 8.25 * 1024 ** 2;
/** More than a compressor looks back, with which repeated text hardly shrinks. */
const TEXT_BYTES = 40_000;

/** The same report, made too long to be read as a whole by a comment behind each of its records. */
export function longReportXml(report: DescribedReport): Buffer {
  const random = new Random(1);
  const text = Array.from({ length: TEXT_BYTES }, () => random.below(36).toString(36)).join('');
  const plain = reportXml(report);
  const length = Math.ceil(Math.max(0, LONG_BYTES - plain.length) / (report.records?.length ?? 1));
  const more = text.repeat(Math.ceil(length / TEXT_BYTES) + 1);
  let begin = 0;
  const commented = plain.toString().replaceAll('</record>', (end) => {
    begin = (begin + length) % TEXT_BYTES;
    return `${end}<!--${more.slice(begin, begin + length)}-->`;
  });
  return Buffer.from(commented);
}
