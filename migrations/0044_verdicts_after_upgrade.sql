-- The verdicts of all domains rest on stored days. Where an upgraded ledger has none of a domain yet, they are stored at
-- once, and not in the course of a day.
update domain d set health_due_at = now()
where d.monitored and d.health_due_at > now()
  and exists (select from domain_day x where x.org_id = d.org_id and x.domain_id = d.id and x.reports > 0)
  and not exists (select from enforcement_day e where e.org_id = d.org_id and e.domain_id = d.id);
