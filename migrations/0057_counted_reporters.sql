-- A report that claims the name of a known receiver, with the contact address of another, counts for a reporter of its
-- own, whose name has the domain behind it: `google.com (evil.example)`. This is the name that such reports bear.
alter table reporter add column stated_name text;       -- null where it is the name
