/** An open report, and a record of 300 kB: as many results and as long remarks as are kept. */
const HEAD = `<feedback><report_metadata><org_name>R</org_name><email>a@r.example</email><report_id>1</report_id>
  <date_range><begin>1743465600</begin><end>1743551999</end></date_range></report_metadata>
  <policy_published><domain>shop.example</domain><p>none</p></policy_published>`;
const TEXT = 't'.repeat(255);
const REMARK = `<result>fail</result><human_result>${'r'.repeat(1_024)}</human_result>`;
const RECORD = `<record><row><source_ip>192.0.2.1</source_ip><count>1</count><policy_evaluated><disposition>none</disposition>
  <dkim>fail</dkim><spf>fail</spf></policy_evaluated></row><identifiers><header_from>shop.example</header_from></identifiers>
  <auth_results>${`<dkim><domain>${TEXT}</domain><selector>${TEXT}</selector>${REMARK}</dkim>`.repeat(100)}
  ${`<spf><domain>${TEXT}</domain><scope>mfrom</scope>${REMARK}</spf>`.repeat(100)}</auth_results></record>`;
const PIECE = 64 * 1024;

/** The pieces of a report of so many long records. */
export async function* longRecords(count: number): AsyncGenerator<Buffer> {
  yield Buffer.from(HEAD);
  for (let i = 0; i < count; i += 1) {
    const record = Buffer.from(RECORD);
    for (let at = 0; at < record.length; at += PIECE) yield record.subarray(at, at + PIECE);
  }
  yield Buffer.from('</feedback>');
}
