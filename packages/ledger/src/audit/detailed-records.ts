/**
 * The columns of a record `s` of `stored_record` with its detail `d`: for audits, which join all records of an
 * organization with all details at once. The view `report_record` looks up each detail by its key.
 */
export const DETAILED = `s.report_id, s.position, s.source_ip, s.messages, s.dkim_pass, s.spf_pass,
      coalesce(s.disposition, d.disposition) as disposition, coalesce(s.header_from, d.header_from) as header_from,
      coalesce(s.envelope_from, d.envelope_from) as envelope_from,
        coalesce(s.dkim_results, d.dkim_results) as dkim_results,
      coalesce(s.spf_results, d.spf_results) as spf_results, coalesce(s.dkim_aligned, d.dkim_aligned) as dkim_aligned`;
