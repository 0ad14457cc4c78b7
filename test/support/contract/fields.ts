/** Every field of the contract, endpoint by endpoint; `[]` is an element of a list, `?` an optional field. */
const text = `
/reports
  total limit offset has_any
  reports[].id reports[].report_id reports[].org_name reports[].domain reports[].total_messages reports[].compliant_messages
  reports[].compliance_rate reports[].policy_p reports[].date_begin reports[].date_end reports[].received_at
/reports/date-range
  earliest latest
/reports/{id}
  Version ReportMetadata.OrgName ReportMetadata.Email ReportMetadata.ExtraContactInfo ReportMetadata.ReportID
  ReportMetadata.DateRange.Begin ReportMetadata.DateRange.End ReportMetadata.Errors ReportMetadata.Generator
  PolicyPublished.Domain PolicyPublished.ADKIM PolicyPublished.ASPF PolicyPublished.P PolicyPublished.SP PolicyPublished.NP
  PolicyPublished.PCT PolicyPublished.FO PolicyPublished.T PolicyPublished.PSD PolicyPublished.DiscoveryMethod
  Records[].Row.SourceIP Records[].Row.Count Records[].Row.PolicyEvaluated.Disposition Records[].Row.PolicyEvaluated.DKIM
  Records[].Row.PolicyEvaluated.SPF Records[].Row.PolicyEvaluated.Reason[].Type Records[].Row.PolicyEvaluated.Reason[].Comment
  Records[].Identifiers.EnvelopeTo Records[].Identifiers.EnvelopeFrom Records[].Identifiers.HeaderFrom
  Records[].AuthResults.DKIM[].Domain Records[].AuthResults.DKIM[].Selector Records[].AuthResults.DKIM[].Result
  Records[].AuthResults.DKIM[].HumanResult Records[].AuthResults.SPF[].Domain Records[].AuthResults.SPF[].Scope
  Records[].AuthResults.SPF[].Result Records[].AuthResults.SPF[].HumanResult parse_warnings? record_classifications
  record_alignment[].spf record_alignment[].dkim failure_summary.spf_only failure_summary.dkim_only failure_summary.both
  failure_summary.total
/dashboard/overview
  org_health.overall_score org_health.grade org_health.verdict org_health.health_state org_health.compliance_rate
  org_health.total_messages org_health.total_domains org_health.domains_needing_attention org_health.unique_source_ips
  org_health.has_data org_health.forwarded_messages domain_cards[].domain domain_cards[].score domain_cards[].grade
  domain_cards[].verdict domain_cards[].compliance_rate domain_cards[].total_messages domain_cards[].policy
  domain_cards[].top_issue domain_cards[].top_issue_severity domain_cards[].action_count domain_cards[].inherited?
  domain_cards[].inherited_from? domain_cards[].forwarded_messages action_items_summary.total_pending
  action_items_summary.high action_items_summary.medium action_items_summary.low
/statistics
  total_reports total_messages compliant_messages compliance_rate unique_source_ips unique_domains has_data
/compliance-score
  overall_score grade compliance_rate spf_pass_rate dkim_pass_rate policy_strength total_messages total_reports
  domain_scores[].domain domain_scores[].score domain_scores[].grade domain_scores[].compliance_rate
  domain_scores[].spf_pass_rate domain_scores[].dkim_pass_rate domain_scores[].policy domain_scores[].total_messages
/compliance-score/history
  days points[].score points[].grade points[].compliance_rate points[].spf_rate points[].dkim_rate points[].total_messages
  points[].snapshot_date
/trends
  days points[].total_messages points[].compliant_messages points[].compliance_rate points[].failed_messages points[].reports
  points[].date
/top-sources
  total limit offset sources[].source_ip sources[].count sources[].pass sources[].fail sources[].spf_fail sources[].dkim_fail
  sources[].service_name? sources[].service_icon? sources[].service_slug?
/domains
  total limit offset domains[].id? domains[].domain domains[].verified domains[].dmarc_state domains[].tlsrpt_enabled
  domains[].tlsrpt_state domains[].forensic_enabled domains[].forensic_state domains[].aprf_enabled domains[].aprf_state
  domains[].source domains[].verified_source? domains[].inherited_from? domains[].report_count domains[].verified_at?
/domains/{domain}/health
  domain overall_score grade verdict last_report_date total_messages dns.dmarc.status dns.dmarc.details dns.spf.status
  dns.spf.details dns.dkim.status dns.dkim.details dns.mta_sts.status dns.mta_sts.details dns.tls_rpt.status
  dns.tls_rpt.details dns.bimi.status dns.bimi.details dns.dane.status dns.dane.details dns.aprf.status dns.aprf.details
  dns.dmarc.inherited_from? dns.spf.hosted_cta.label? dns.spf.hosted_cta.url? compliance.rate compliance.spf_pass
  compliance.dkim_pass compliance.policy top_senders[].ip top_senders[].count top_senders[].spf_result
  top_senders[].dkim_result top_senders[].service_name? top_senders[].service_icon? top_senders[].service_slug? alert_count
  action_items[].type? action_items[].severity action_items[].title action_items[].suggested_action action_items[].cta_url?
  action_items[].cta_label? trend_sparkline[].date trend_sparkline[].compliance_rate trend_sparkline[].total_messages
  aprf_placement[].day aprf_placement[].source aprf_placement[].dkim_domain aprf_placement[].dkim_selector
  aprf_placement[].version aprf_placement[].sdi_used aprf_placement[].extra_info aprf_placement[].segment
  aprf_placement[].classification[].category aprf_placement[].classification[].value aprf_placement[].engagement[].category
  aprf_placement[].engagement[].value empty_state.healthy? empty_state.message? empty_state.cta_url? empty_state.cta_label?
  computed_at
/sources
  total limit offset has_any sources[].source_ip sources[].total_messages sources[].pass_count sources[].fail_count
  sources[].spf_fail_count sources[].dkim_fail_count sources[].compliance_rate sources[].first_seen sources[].last_seen
  sources[].domains sources[].service_name? sources[].service_icon? sources[].service_slug? sources[].abuse_status?
  sources[].abuse_score? sources[].reputation_reason? sources[].blocklist_severity sources[].blocklist_summary?
  sources[].isp? sources[].country? sources[].hostname? sources[].classification
/sources/{ip}
  source_ip total_messages pass_count fail_count spf_fail_count dkim_fail_count compliance_rate first_seen last_seen domains
  records[].report_id records[].domain records[].count records[].disposition records[].dkim_result records[].spf_result
  records[].header_from records[].org_name records[].date_begin records[].date_end records_total
  timeline[].total_messages timeline[].compliant_messages timeline[].compliance_rate timeline[].failed_messages
  timeline[].reports timeline[].date service_name? service_icon? service_slug? hostname? geo.country? geo.latitude?
  geo.longitude? enrichment.ip? enrichment.country? enrichment.latitude? enrichment.longitude? enrichment.isp?
  enrichment.usage_type? enrichment.country_code? enrichment.abuse_score? enrichment.abuse_reports?
  enrichment.abuse_categories? enrichment.abuse_status? enrichment.sender_name? enrichment.sender_slug?
  enrichment.sender_icon? enrichment.hostname? enrichment.blocklist_listed? enrichment.blocklist_total?
  enrichment.blocklist_results[].name? enrichment.blocklist_results[].listed? enrichment.blocklist_results[].status?
  enrichment.blocklist_results[].reason? enrichment.blocklist_results[].category? enrichment.blocklist_results[].tier?
  enrichment.blocklist_results[].delist_url? enrichment.abuse_last_reported? enrichment.enriched_at? enrichment.updated_at?
  blocklist_verdict.severity blocklist_verdict.listed blocklist_verdict.clean blocklist_verdict.errored
  blocklist_verdict.checked blocklist_verdict.total blocklist_verdict.score blocklist_verdict.names?
  blocklist_verdict.top_list? blocklist_verdict.top_reason? blocklist_verdict.top_tier? blocklist_verdict.has_malware_c2
  blocklist_verdict.urgency blocklist_verdict.summary spam_signals[].name? spam_signals[].score?
  spam_signals[].description? classification classification_description?
/events
  total limit offset events[].id events[].type events[].type_label events[].severity events[].title events[].message
  events[].domain events[].link? events[].acknowledged events[].created_at
/api-keys/usage
  days plan window.limit window.used window.remaining window.percent_used window.starts_at window.resets_at window.reset
  status message granularity history[].start history[].date history[].requests history[].rejected history[].errors
  total_requests total_rejected keys[].id keys[].name keys[].prefix keys[].scope keys[].requests keys[].share
  keys[].last_used_at keys[].revoked
/enums
  verification_state[].code verification_state[].label verification_state[].severity alert_type[].code alert_type[].label
  alert_type[].severity alert_type[].deliverable alert_severity[].code action_item_severity[].code
  reputation_status[].code dmarc_policy[].code health_state[].code grade[].code
`;

/** The fields of each endpoint, by its path. */
export const contractFields: ReadonlyMap<string, readonly string[]> = new Map(
  text
    .trim()
    .split(/\n(?=\/)/)
    .map((part) => {
      const [path, ...fields] = part.trim().split(/\s+/);
      return [path!, fields] as const;
    }),
);

/** The values at a field of an answer, however many. */
export function valuesAt(body: unknown, field: string): unknown[] {
  const steps = field.replace('?', '').split('.');
  return steps.reduce<unknown[]>(
    (values, step) => {
      const name = step.replace('[]', '');
      const next = values.flatMap((value) =>
        typeof value === 'object' && value !== null && name in value ? [(value as Record<string, unknown>)[name]] : [],
      );
      return step.endsWith('[]') ? next.flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : [])) : next;
    },
    [body],
  );
}
