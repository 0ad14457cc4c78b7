import { crc32, deflateRawSync, gzipSync } from 'node:zlib';

const DAY_ONE = 1_767_225_600; // 2026-01-01T00:00:00Z

/** Documents for uploads: the same report in each of its containers, and one of another kind. */
export const documents = {
  xml: (id: string): Buffer =>
    Buffer.from(`<?xml version="1.0"?>
<feedback><version>1.0</version><report_metadata><org_name>Reporter</org_name><email>dmarc@reporter.example</email>
<report_id>${id}</report_id><date_range><begin>${DAY_ONE}</begin><end>${DAY_ONE + 86_399}</end></date_range></report_metadata>
<policy_published><domain>example.com</domain><p>none</p></policy_published>
<record><row><source_ip>192.0.2.1</source_ip><count>2</count>
<policy_evaluated><disposition>none</disposition><dkim>pass</dkim><spf>fail</spf></policy_evaluated></row>
<identifiers><header_from>example.com</header_from></identifiers>
<auth_results><dkim><domain>example.com</domain><selector>s</selector><result>pass</result></dkim></auth_results></record>
</feedback>`),

  zip: (id: string): Buffer => zipOf('report.xml', documents.xml(id)),

  mail: (id: string): Buffer =>
    Buffer.from(`From: dmarc@reporter.example
To: reports@example.com
Subject: Report
MIME-Version: 1.0
Content-Type: application/gzip
Content-Transfer-Encoding: base64
Content-Disposition: attachment; filename="report.xml.gz"

${gzipSync(documents.xml(id)).toString('base64').replace(/.{76}/g, '$&\n')}
`),

  tlsJson: (id: string): Buffer =>
    Buffer.from(
      JSON.stringify({
        'organization-name': 'Reporter',
        'date-range': { 'start-datetime': '2026-01-01T00:00:00Z', 'end-datetime': '2026-01-01T23:59:59Z' },
        'contact-info': 'tls@reporter.example',
        'report-id': id,
        policies: [
          {
            policy: { 'policy-type': 'sts', 'policy-domain': 'example.com', 'policy-string': ['version: STSv1'] },
            summary: { 'total-successful-session-count': 5, 'total-failure-session-count': 0 },
          },
        ],
      }),
    ),
};

/** A zip archive with that one entry. */
function zipOf(name: string, content: Buffer): Buffer {
  const packed = deflateRawSync(content);
  const common = Buffer.alloc(26);
  common.writeUInt16LE(20, 0);
  common.writeUInt16LE(8, 4);
  common.writeUInt32LE(crc32(content), 10);
  common.writeUInt32LE(packed.length, 14);
  common.writeUInt32LE(content.length, 18);
  common.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), packed]);
  const directory = Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), common, Buffer.alloc(14), Buffer.from(name)]);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, directory, end]);
}
