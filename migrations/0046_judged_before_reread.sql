-- Whether a report that waits to be read again had been judged by then: reading it again and finding no difference ends
-- its judgement only if so. The default is constant, so no row is written anew. What waits during the upgrade is judged
-- again.
alter table unjudged_report add column is_judged boolean not null default false;
