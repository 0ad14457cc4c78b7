-- Accounts at an identity provider by which people sign in. The subject names an account for ever, unlike its address.
create table person_identity (
  issuer       text        not null,
  subject      text        not null,
  person_id    uuid        not null references person on delete cascade,
  created_at   timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  primary key (issuer, subject),
  unique (person_id, issuer)                             -- another account never takes the place of the first
);
