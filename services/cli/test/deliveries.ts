import { buffer } from 'node:stream/consumers';
import { pack } from 'tar-stream';

const DAY_ONE = 1_767_225_600; // 2026-01-01T00:00:00Z

/** An aggregate report with this many records of one message each. */
export function xmlOf(id: string, records = 1): Buffer {
  const rows = Array.from(
    { length: records },
    (_, i) => `<record><row><source_ip>10.0.${i >> 8}.${i & 255}</source_ip><count>1</count>
<policy_evaluated><disposition>none</disposition><dkim>pass</dkim><spf>fail</spf></policy_evaluated></row>
<identifiers><header_from>example.com</header_from></identifiers>
<auth_results><dkim><domain>example.com</domain><selector>s</selector><result>pass</result></dkim>
<spf><domain>example.com</domain><scope>mfrom</scope><result>fail</result></spf></auth_results></record>`,
  );
  return Buffer.from(`<?xml version="1.0"?>
<feedback><version>1.0</version><report_metadata><org_name>Reporter</org_name><email>dmarc@reporter.example</email>
<report_id>${id}</report_id><date_range><begin>${DAY_ONE}</begin><end>${DAY_ONE + 86_399}</end></date_range></report_metadata>
<policy_published><domain>example.com</domain><p>none</p></policy_published>
${rows.join('\n')}
</feedback>`);
}

/** A mail with that attachment, and a line in its text that a mailbox file must quote. */
export function mailOf(attachment: Buffer): Buffer {
  return Buffer.from(`From: dmarc@reporter.example
To: reports@example.com
Subject: Report
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="border"

--border
Content-Type: text/plain

Dear postmaster,

From here on all is for machines.
>From there too.
--border
Content-Type: application/gzip
Content-Transfer-Encoding: base64
Content-Disposition: attachment; filename="report.xml.gz"

${attachment.toString('base64').replace(/.{76}/g, '$&\n')}
--border--
`);
}

/** A mailbox file of these mails, quoted as mboxrd says. */
export function mboxOf(mails: Buffer[]): Buffer {
  const quoted = mails.map((mail) => mail.toString('latin1').replace(/^(>*From )/gm, '>$1'));
  return Buffer.from(
    quoted.map((mail) => `From dmarc@reporter.example Thu Jan  1 00:00:00 2026\n${mail}\n`).join(''),
    'latin1',
  );
}

export async function tarOf(members: { [name: string]: Buffer }): Promise<Buffer> {
  const archive = pack();
  for (const [name, content] of Object.entries(members)) archive.entry({ name }, content);
  archive.finalize();
  return await buffer(archive);
}
