-- A copy that was counted in place of another left the id that its reporter gave it out of lists and searches.
update report set report_id = metadata ->> 'reportId' where report_id <> metadata ->> 'reportId';
