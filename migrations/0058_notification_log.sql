-- What was sent of all targets of an organization is listed newest first; the index by target serves one of them.
create index event_delivery_newest on event_delivery (org_id, planned_at desc, id desc);
