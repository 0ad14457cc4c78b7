-- Storage parameters only: no row and no index is written anew, whatever the size of the ledger. Reads and writes of
-- `report` and of the search of addresses wait for the moment that the indexes below are locked; those of the other
-- tables do not.

-- A change of messages makes entries in the sort indexes wherever the row lies, so free space in the page gains little.
alter table source_domain set (fillfactor = 90);
alter table source_total set (fillfactor = 90);

-- Entries of new addresses and reports wait in a list of the index until they are merged into it. Every search reads
-- the whole list, which holds those of all organizations.
alter index source_address_like set (gin_pending_list_limit = 1024);
alter index report_like_report_id set (gin_pending_list_limit = 1024);
