-- Open events that need action are read all at once, of an organization or of one of its domains, past any number of
-- others: anybody who sends mail can raise those about new subdomains.
create index event_to_act_on on event (org_id, type, domain) where resolved_at is null and acknowledged_at is null;
