import type { Statement } from '@dmarc-ledger/schema';

/**
 * A copy with other content replaces the stored one if it was received later and its mail did not fail, or if both
 * failed, or only the stored one. Of two received at the same time the one with the greater hash wins. The same content
 * replaces only one that failed.
 */
const NEWER = `(excluded.authenticated is not false, excluded.received_at, excluded.payload_sha256)
  > (t.authenticated is not false, t.received_at, t.payload_sha256)
  and (excluded.payload_sha256 <> t.payload_sha256 or (excluded.authenticated is false) <> (t.authenticated is false))`;

export const putTlsReports: Statement = {
  name: 'put-tls-reports',
  text: `
    insert into tlsrpt_report as t select * from json_populate_recordset(null::tlsrpt_report, $1::json)
    on conflict (org_id, identity) do update set reporter_name = excluded.reporter_name, report_id = excluded.report_id,
      contact = excluded.contact, date_begin = excluded.date_begin, date_end = excluded.date_end, day = excluded.day,
      domains = excluded.domains, successes = excluded.successes, failures = excluded.failures,
      policies = excluded.policies, warnings = excluded.warnings, payload_sha256 = excluded.payload_sha256,
      message_id = excluded.message_id, document = excluded.document, received_at = excluded.received_at,
      authenticated = excluded.authenticated
    where ${NEWER} returning id, identity`,
};

export const putAprfReports: Statement = {
  name: 'put-aprf-reports',
  text: `
    insert into aprf_report as t select * from json_populate_recordset(null::aprf_report, $1::json)
    on conflict (org_id, identity) do update set extra_info = excluded.extra_info, contact = excluded.contact,
      date_begin = excluded.date_begin, date_end = excluded.date_end, warnings = excluded.warnings,
      payload_sha256 = excluded.payload_sha256, message_id = excluded.message_id, document = excluded.document,
      received_at = excluded.received_at, authenticated = excluded.authenticated
    where ${NEWER} returning id, identity`,
};

/**
 * The same fields are the same report, so only where it came from is replaced, once it comes in a mail that did not
 * fail. A stored one is locked, like those above, so that no purge deletes it before it is looked up.
 */
export const putFailureReports: Statement = {
  name: 'put-failure-reports',
  text: `
    insert into failure_report as t select * from json_populate_recordset(null::failure_report, $1::json)
    on conflict (org_id, payload_sha256) do update set message_id = excluded.message_id, document = excluded.document,
      received_at = excluded.received_at, authenticated = excluded.authenticated
    where t.authenticated is false and excluded.authenticated is not false
    returning id, payload_sha256 as identity`,
};

export const findTlsReports = findStatement('tlsrpt_report', 'identity');
export const findAprfReports = findStatement('aprf_report', 'identity');
export const findFailureReports = findStatement('failure_report', 'payload_sha256');

const TLS_FACTS = `reporter_name, report_id, contact, date_begin, date_end, day, domains, successes, failures, policies,
  warnings`;
const APRF_FACTS = 'extra_info, contact, date_begin, date_end, warnings';
const FAILURE_FACTS = `reported_domain, source_ip, arrived_at, incidents, auth_failure, identity_alignment,
  delivery_result, dkim_domains, dkim_selector, dkim_identity_domain, mail_from_domain, rcpt_to_domains,
  authentication_results, version, user_agent, reporting_mta, warnings`;

export const correctTlsReports = correctStatement('tlsrpt_report', 'identity', TLS_FACTS);
export const correctAprfReports = correctStatement('aprf_report', 'identity', APRF_FACTS);
export const correctFailureReports = correctStatement('failure_report', 'payload_sha256', FAILURE_FACTS);

export const renewTlsReports = renewStatement('tlsrpt_report');
export const renewAprfReports = renewStatement('aprf_report');

export const clearTlsFailures = clearStatement('tlsrpt_failure');
export const clearAprfRows = clearStatement('aprf_row');
export const insertTlsFailures = insertStatement('tlsrpt_failure');
export const insertAprfRows = insertStatement('aprf_row');

function findStatement(table: string, identity: string): Statement {
  const text = `
    select id, ${identity} as identity, payload_sha256, message_id from ${table}
    where org_id = $1 and ${identity} = any($2::bytea[])`;
  return { name: `find-${table}`, text };
}

/** The delivery that brought the content that is held is read again: these are its facts by now. */
function correctStatement(table: string, identity: string, facts: string): Statement {
  const found = facts.replaceAll(/\w+/g, 'e.$&');
  const text = `
    update ${table} t set (${facts}) = row(${found}) from json_populate_recordset(null::${table}, $2::json) e
    where t.org_id = $1 and t.${identity} = e.${identity} and t.payload_sha256 = e.payload_sha256
      and t.message_id = e.message_id
    returning t.id, t.${identity} as identity, t.payload_sha256`;
  return { name: `correct-${table}`, text };
}

/** The content that is held was received again: of copies with other content, only later ones replace it. */
function renewStatement(table: string): Statement {
  const text = `
    update ${table} t set received_at = e.received_at from json_populate_recordset(null::${table}, $2::json) e
    where t.org_id = $1 and t.identity = e.identity and t.payload_sha256 = e.payload_sha256
      and t.received_at < e.received_at and (t.authenticated is false) = (e.authenticated is false)`;
  return { name: `renew-${table}`, text };
}

function clearStatement(table: string): Statement {
  return { name: `clear-${table}`, text: `delete from ${table} where org_id = $1 and report_id = any($2::uuid[])` };
}

function insertStatement(table: string): Statement {
  const text = `insert into ${table} select * from json_populate_recordset(null::${table}, $1::json)`;
  return { name: `insert-${table}`, text };
}
