-- While an installation is upgraded, processes of the version before go on counting. They know no revision, so the
-- database changes it for them: what became of the mail of such a day is computed again.
create function renew_revision() returns trigger language plpgsql as $$
begin
  new.revision := gen_random_uuid();
  return new;
end $$;
create trigger domain_day_counted before update on domain_day for each row
  when (old.revision = new.revision and (old.reports is distinct from new.reports
    or old.messages is distinct from new.messages or old.compliant is distinct from new.compliant
    or old.spf_pass is distinct from new.spf_pass or old.dkim_pass is distinct from new.dkim_pass))
  execute function renew_revision();
