-- The forms that made the secrets of a target, newest first: one that is sent again makes no other secret.
alter table delivery_target add column forms uuid[] not null default '{}';
