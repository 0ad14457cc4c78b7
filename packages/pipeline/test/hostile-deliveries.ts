import { deflateRawSync, gzipSync, crc32 } from 'node:zlib';

const head = `<?xml version="1.0"?><feedback><report_metadata><org_name>R</org_name><email>a@r.example</email>
<report_id>hostile</report_id><date_range><begin>1767225600</begin><end>1767311999</end></date_range></report_metadata>
<policy_published><domain>example.com</domain><p>none</p></policy_published>`;
const record = `<record><row><source_ip>192.0.2.1</source_ip><count>1</count><policy_evaluated><disposition>none</disposition>
<dkim>fail</dkim><spf>fail</spf></policy_evaluated></row><identifiers><header_from>example.com</header_from></identifiers>
<auth_results/></record>`;
const tiny = '<record><row><source_ip>1.1.1.1</source_ip><count>1</count></row></record>';
const report = (inside: string) => Buffer.from(`${head}${inside}</feedback>`);
/** A gzip, padded with zeros as one large reporter does, so that its output is in proportion to it. */
const packed = (content: Buffer | string) => {
  const bytes = gzipSync(content);
  return Buffer.concat([bytes, Buffer.alloc(Math.max(0, Math.ceil(Buffer.byteLength(content) / 190) - bytes.length))]);
};
const fill = (text: string, bytes: number) => text.repeat(Math.ceil(bytes / text.length));

/** Mail with one part, whose body is given verbatim. */
function mail(header: string, body: string, top = ''): Buffer {
  return Buffer.from(
    `From: a@r.example\r\n${top}MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\n${header}\r\n\r\n${body}\r\n--b--\r\n`,
    'latin1',
  );
}

/** A zip of small members, as archivers make it. (APPNOTE 4.3) */
export function zip(members: readonly { name: string; data: Buffer }[]): Buffer {
  const local: Buffer[] = [];
  const directory: Buffer[] = [];
  let length = 0;
  for (const { name, data } of members) {
    const packed = deflateRawSync(data);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(crc32(data), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(data.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(length, 10);
    directory.push(Buffer.from('504b01021403', 'hex'), fields, tail, Buffer.from(name));
    const part = Buffer.concat([Buffer.from('504b0304', 'hex'), fields, Buffer.from(name), packed]);
    local.push(part);
    length += part.length;
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(members.length, 4);
  end.writeUInt16LE(members.length, 6);
  end.writeUInt32LE(Buffer.concat(directory).length, 8);
  end.writeUInt32LE(length, 12);
  return Buffer.concat([...local, ...directory, Buffer.from('504b0506', 'hex'), end]);
}

const attachment = 'Content-Type: application/octet-stream; name="a"\r\nContent-Transfer-Encoding:';

/**
 * Deliveries that are small, or cheap to make, and cost a careless reader seconds in one piece, or gigabytes. `MB`: 1
 * MiB for the worst of each, less for a quick look.
 */
export function hostileDeliveries(MB: number): { [name: string]: () => Buffer } {
  const whole = 8 * MB - 4_096;
  return {
    'hundreds of thousands of empty roots': () => packed(`<r>${fill('<feedback></feedback>', whole)}</r>`),
    'hundreds of thousands of roots that are not well-formed': () => packed(fill('<feedback>&</feedback>', whole)),
    'eight MiB of ampersands in one element': () => packed(report(`<x>${'&'.repeat(whole)}</x>`)),
    'ampersands in many elements': () => packed(report(fill(`<x>${'&'.repeat(1_000)}</x>`, whole))),
    'eight MiB of opening brackets': () => packed(report('<'.repeat(whole))),
    'broken tags without end': () => packed(report(fill('<a b', whole))),
    'free texts that do not end': () => packed(report(fill('<comment>&<', whole))),
    'long white space': () => packed(' '.repeat(whole) + report(record).toString()),
    'white space in a report': () => packed(report(' \n'.repeat(whole / 2))),
    'a million attributes': () => packed(report(`<x ${fill('a="1" ', whole)}/>`)),
    'elements with sixteen attributes': () =>
      packed(report(fill(`<x ${Array.from({ length: 16 }, (_, i) => `a${i}="1"`).join(' ')}/>`, whole))),
    'deep nesting': () => packed(fill('<feedback>', whole)),
    'a comment of eight MiB': () => packed(report(`<!--${'x'.repeat(whole)}-->`)),
    'comments that do not end': () => packed(report(fill('<!--', whole))),
    'text between a million elements of one reason': () =>
      packed(
        report(
          `<record><row><policy_evaluated><reason>${fill('x<y/>', whole)}</reason></policy_evaluated></row></record>`,
        ),
      ),
    'thirty broken reports in one mail': () =>
      zip(
        Array.from({ length: 30 }, (_, i) => ({
          name: `${i}.xml`,
          data: report(`${i}&${fill('<row></row>', MB / 4)}`),
        })),
      ),
    'CDATA that is never closed, again and again': () => packed(report(fill('<![CDATA[', whole))),
    'very many tiny records': () => packed(report(fill(tiny, whole - 500))),
    'very many tiny records in a broken report': () => packed(report(`&${fill(tiny, whole - 500)}`)),
    'very many empty records': () => packed(report(fill('<record/>', whole - 500))),
    'records with a hundred signatures': () =>
      packed(
        report(
          fill(
            record.replace(
              '<auth_results/>',
              `<auth_results>${'<dkim><domain>a.example</domain><result>fail</result></dkim>'.repeat(100)}</auth_results>`,
            ),
            whole - 8_000,
          ),
        ),
      ),
    'a stream of records of more than can be held': () => packed(report(fill(tiny, 40 * MB))),
    'eight MiB that are not UTF-8': () => packed(Buffer.concat([report(fill(record, whole - 500)), Buffer.of(0xff)])),
    'eight MiB of UTF-16': () =>
      packed(
        Buffer.concat([Buffer.of(0xff, 0xfe), Buffer.from(report(fill(record, 4 * MB - 5_000)).toString(), 'utf16le')]),
      ),
    'a header line of megabytes': () => mail(`X-Long: ${'x'.repeat(8 * MB)}`, ''),
    'a hundred thousand parts': () => mail('', fill('--b\r\n\r\n\r\n', MB)),
    'quoted-printable in one line': () => mail(`${attachment} quoted-printable`, fill('=3D', 20 * MB)),
    'quoted-printable soft line ends': () => mail(`${attachment} quoted-printable`, fill('=\r\n', 20 * MB)),
    'base64 in one line': () => mail(`${attachment} base64`, 'A'.repeat(30 * MB)),
    'base64 a letter a line': () => mail(`${attachment} base64`, fill('A\r\n', 20 * MB)),
    'a body of line ends': () => mail(`${attachment} 8bit`, '\n'.repeat(20 * MB)),
    'what may be boundaries, in fourteen multiparts': () => {
      const multiparts = Array.from(
        { length: 14 },
        (_, i) => `Content-Type: multipart/mixed; boundary="d${i}"\r\n\r\n--d${i}\r\n`,
      );
      return mail(`${multiparts.join('')}Content-Type: text/plain`, fill('--e9 \n', 20 * MB));
    },
    'a text that looks like a pasted report': () => mail('Content-Type: text/plain', fill('</feedback>\n', 20 * MB)),
    'a text without a line end': () => mail('Content-Type: text/plain', '<feedback'.repeat(2 * MB)),
    'gzip in gzip': () => gzipSync(gzipSync(Buffer.alloc(400 * MB, '<a/>'))),
    'a gzip of a million members of nothing': () => Buffer.concat(Array<Buffer>(MB).fill(gzipSync(''))),
    'a zip of 65,000 entries': () =>
      zip(Array.from({ length: 65_000 }, (_, i) => ({ name: `${i}.xml`, data: Buffer.alloc(0) }))),
    'a zip with many false ends behind it': () => {
      const end = Buffer.from('504b0506', 'hex');
      return Buffer.concat([zip([{ name: 'a.xml', data: report(record) }]), Buffer.alloc(20 * MB, end)]);
    },
    'zips in a zip, of bombs': () => {
      const bombs = zip(Array.from({ length: 8 }, (_, i) => ({ name: `${i}.xml`, data: report(' '.repeat(6 * MB)) })));
      return zip(Array.from({ length: 12 }, (_, i) => ({ name: `${i}.zip`, data: bombs })));
    },
    'JSON of half a million values': () => packed(JSON.stringify(Array.from({ length: 499_000 }, () => 1))),
    'JSON of lists in lists': () =>
      packed(
        `{"a":[${Array(16_000)
          .fill('['.repeat(28) + ']'.repeat(28))
          .join(',')}]}`,
      ),
    'JSON of one text': () => packed(`{"a":"${'x'.repeat(whole)}"}`),
    'JSON of one text of escapes': () => packed(`{"a":"${'\\u0041'.repeat(whole / 6)}"}`),
    'JSON of backslashes without an end': () => packed(`{"a":"${fill('\\"', whole)}`),
    'a report on TLS with everything that fits': () =>
      packed(
        JSON.stringify({
          'organization-name': 'R',
          'date-range': { 'start-datetime': '2026-01-01T00:00:00Z', 'end-datetime': '2026-01-02T00:00:00Z' },
          'report-id': 'x',
          policies: Array.from({ length: 1_000 }, () => ({
            policy: {
              'policy-type': 'sts',
              'policy-domain': 'example.com',
              'mx-host': Array(50).fill('mx.example.com'),
            },
            summary: { 'total-successful-session-count': 1, 'total-failure-session-count': 10 },
            'failure-details': Array.from({ length: 10 }, (_, i) => ({
              'result-type': 'other',
              'failed-session-count': i,
            })),
          })),
        }),
      ),
    'a failure report of one line': () =>
      mail(
        'Content-Type: message/feedback-report',
        `Feedback-Type: auth-failure\r\nVersion: 1\r\nAuthentication-Results: ${fill('a;(', 5 * MB)}`,
      ),
    'a failure report of many fields': () =>
      mail(
        'Content-Type: message/feedback-report',
        `Feedback-Type: auth-failure\r\nVersion: 1\r\n${fill('Reported-Domain: a.example\r\n', 5 * MB)}`,
      ),
  };
}
