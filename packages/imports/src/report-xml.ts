import type { KeptPolicy, KeptRecord, KeptReport } from './kept-report.ts';

/**
 * Writes what a tool kept of a report in the XML of RFC 9990 (its appendix A has the order of elements). Elements that
 * the tool did not keep are absent. Equal reports give equal bytes.
 */
export function reportXml(report: KeptReport): Buffer {
  const { reporterName, email, extraContactInfo, reportId, begin, end, errors, generator } = report;
  const metadata = [
    element('org_name', reporterName),
    element('email', email),
    element('extra_contact_info', extraContactInfo),
    element('report_id', reportId),
    `<date_range>${element('begin', String(begin))}${element('end', String(end))}</date_range>`,
    ...errors.map((error) => element('error', error)),
    element('generator', generator),
  ];
  return Buffer.from(
    [
      '<?xml version="1.0" encoding="UTF-8"?>\n<feedback xmlns="urn:ietf:params:xml:ns:dmarc-2.0">',
      element('version', report.version),
      `<report_metadata>${metadata.join('')}</report_metadata>`,
      policyXml(report.policy),
      ...report.records.map(recordXml),
      '</feedback>\n',
    ].join(''),
  );
}

function policyXml({ domain, discoveryMethod, p, sp, np, fo, adkim, aspf, testing, pct }: KeptPolicy): string {
  const parts = { domain, discovery_method: discoveryMethod, p, sp, np, fo, adkim, aspf, testing, pct };
  return `<policy_published>${elements(parts)}</policy_published>`;
}

function recordXml(record: KeptRecord): string {
  const { sourceIp, count, disposition, dkim, spf, envelopeTo, envelopeFrom, headerFrom } = record;
  const reasons = record.reasons.map(({ type, comment }) => `<reason>${elements({ type, comment })}</reason>`);
  const evaluated = `<policy_evaluated>${elements({ disposition, dkim, spf })}${reasons.join('')}</policy_evaluated>`;
  const row = `<row>${elements({ source_ip: sourceIp, count: String(count) })}${evaluated}</row>`;
  const identifiers = elements({ envelope_to: envelopeTo, envelope_from: envelopeFrom, header_from: headerFrom });
  const results = [
    ...record.dkimResults.map(
      ({ domain, selector, result, humanResult }) =>
        `<dkim>${elements({ domain, selector, result, human_result: humanResult })}</dkim>`,
    ),
    ...record.spfResults.map(
      ({ domain, scope, result, humanResult }) =>
        `<spf>${elements({ domain, scope, result, human_result: humanResult })}</spf>`,
    ),
  ];
  return `<record>${row}<identifiers>${identifiers}</identifiers><auth_results>${results.join('')}</auth_results></record>`;
}

function elements(parts: { [name: string]: string | null | undefined }): string {
  return Object.entries(parts)
    .map(([name, text]) => element(name, text))
    .join('');
}

function element(name: string, text: string | null | undefined): string {
  return text === null || text === undefined || text === '' ? '' : `<${name}>${escaped(text)}</${name}>`;
}

/** Characters that XML 1.0 cannot hold, also half pairs. */
const FORBIDDEN = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
const ESCAPES: { [character: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' };

function escaped(text: string): string {
  return text.replaceAll(FORBIDDEN, '\uFFFD').replaceAll(/[&<>\r]/g, (character) => ESCAPES[character] ?? '');
}
