import type { Random } from './random.ts';

export interface Head {
  id: string;
  domain: string;
  reporter: string;
  begin: number;
  end: number;
}

export interface Entry {
  sourceIp: string;
  count: number;
  dkim: boolean;
  spf: boolean;
  domain: string;
  random: Random;
}

/** A report's XML up to its first record (RFC 7489, appendix C). */
export function reportStart({ id, domain, reporter, begin, end }: Head): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<feedback>
  <version>1.0</version>
  <report_metadata>
    <org_name>${reporter}</org_name>
    <email>noreply-dmarc@${reporter}</email>
    <report_id>${id}</report_id>
    <date_range>
      <begin>${begin}</begin>
      <end>${end}</end>
    </date_range>
  </report_metadata>
  <policy_published>
    <domain>${domain}</domain>
    <adkim>r</adkim>
    <aspf>r</aspf>
    <p>quarantine</p>
    <sp>quarantine</sp>
    <pct>100</pct>
  </policy_published>
`;
}

export function recordXml({ sourceIp, count, dkim, spf, domain, random }: Entry): string {
  const reason = !dkim && !spf && random() < 0.3;
  const signer = dkim || random() < 0.5 ? domain : 'esp.example';
  return `  <record>
    <row>
      <source_ip>${sourceIp}</source_ip>
      <count>${count}</count>
      <policy_evaluated>
        <disposition>${dkim || spf || reason ? 'none' : 'quarantine'}</disposition>
        <dkim>${dkim ? 'pass' : 'fail'}</dkim>
        <spf>${spf ? 'pass' : 'fail'}</spf>
${
  reason
    ? '        <reason>\n          <type>forwarded</type>\n          <comment>known forwarder</comment>\n       ' +
      ' </reason>\n'
    : ''
}      </policy_evaluated>
    </row>
    <identifiers>
      <envelope_from>bounce.${spf ? domain : 'list.example'}</envelope_from>
      <header_from>${domain}</header_from>
    </identifiers>
    <auth_results>
      <dkim>
        <domain>${signer}</domain>
        <selector>s${1 + Math.floor(random() * 4)}</selector>
        <result>${dkim ? 'pass' : 'fail'}</result>
      </dkim>
      <spf>
        <domain>bounce.${spf ? domain : 'list.example'}</domain>
        <scope>mfrom</scope>
        <result>pass</result>
      </spf>
    </auth_results>
  </record>
`;
}

export function reportEnd(): string {
  return '</feedback>\n';
}
