-- When a target was last added again: answers to attempts that began earlier say nothing of it as it is now. It stays as
-- old as it is, so that events that were raised in the meantime, or become graver, reach it.
alter table delivery_target add column added_again_at timestamptz;

-- When the event last became graver, so that a target that was added since it was raised gets it then.
alter table event add column graver_at timestamptz;
