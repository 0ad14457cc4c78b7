-- The names whose SPF records a tree refers to, by `include` or `redirect` at any depth: the other domains of an
-- organization that use the record of one are found without reading their trees, which have up to 1,000 terms each.
-- Large bodies are kept apart from their rows, and are not written anew.
alter table domain_evidence add column spf_targets text[];
update domain_evidence set spf_targets = array(
    select distinct rtrim(t.value, '.') from jsonb_array_elements_text(jsonb_path_query_array(body,
      'strict $.** ? ((@.name == "include" || @.name == "redirect") && @.state != "ignored").target'
    )) t (value) where t.value is not null)
  where subject = 'spf_tree';
create index domain_evidence_spf_targets on domain_evidence (org_id) where spf_targets is not null;
