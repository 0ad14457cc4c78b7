-- notifications also go to channels of Slack and Teams, whose address is their only secret
alter table delivery_target drop constraint delivery_target_kind_check;
alter table delivery_target add constraint delivery_target_kind_check
  check (kind in ('webhook', 'email', 'slack', 'teams'));
