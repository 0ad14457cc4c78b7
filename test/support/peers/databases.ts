import { gzipSync } from 'node:zlib';
import { inserts, type PeerReport, sentXml, utc } from './kept-reports.ts';

// Databases of other tools, by the columns that they publish.

/** Of dmarcts-report-parser: every second report has its raw XML, every fourth compressed. */
export function* dmarcts(dialect: 'mysql' | 'postgres', reports: number): Generator<string> {
  const isMysql = dialect === 'mysql';
  const text = isMysql ? 'mediumtext' : 'text';
  yield `create table report (serial ${isMysql ? 'int unsigned' : 'bigint'} primary key, mindate timestamp not null, maxdate timestamp null,
    domain varchar(255) not null, org varchar(255) not null, reportid varchar(255) not null, email varchar(255),
    extra_contact_info varchar(255), policy_adkim varchar(20), policy_aspf varchar(20), policy_p varchar(20),
    policy_sp varchar(20), policy_pct smallint, raw_xml ${text})`;
  yield `create table rptrecord (id ${isMysql ? 'int unsigned' : 'bigint'} primary key, serial bigint not null, ip bigint, ip6 ${isMysql ? 'binary(16)' : 'bytea'},
    rcount int not null, disposition varchar(20), reason varchar(255), dkimdomain varchar(255), dkimresult varchar(20),
    spfdomain varchar(255), spfresult varchar(20), spf_align varchar(20) not null, dkim_align varchar(20) not null,
    identifier_hfrom varchar(255))`;
  yield 'create index rptrecord_idx_serial on rptrecord (serial, ip)';
  yield* inserts('report', reports, (report) => [
    `(${report.number + 1}, '${utc(report.begin)}', '${utc(report.end)}', 'example.com', 'Reporter', '${report.id}',
      'dmarc@reporter.example', null, 'r', 'r', 'none', 'none', 100, '${rawOf(report)}')`,
  ]);
  const hex = '20010db8000000000000000000000001';
  const ip6 = isMysql ? `x'${hex}'` : `'\\x${hex}'`;
  yield* inserts('rptrecord', reports, ({ number }) => [
    `(${2 * number + 1}, ${number + 1}, 3221225985, null, ${number + 1}, 'none', '', 'example.com', 'pass', 'example.com', 'fail', 'fail', 'pass', 'example.com')`,
    `(${2 * number + 2}, ${number + 1}, null, ${ip6}, 1, 'none', 'forwarded/other', 'a.example/b.example', 'unknown', 'example.com', 'fail', 'fail', 'fail', 'example.com')`,
  ]);
}

function rawOf(report: PeerReport): string {
  if (report.number % 2 === 1) return '';
  return report.number % 4 === 0 ? gzipSync(sentXml(report)).toString('base64') : sentXml(report).toString();
}

/** Of dmarc-srg, with a prefix. */
export function* dmarcSrg(reports: number, prefix: string, isPostgres = false): Generator<string> {
  const [id, number, small, instant, ip] = isPostgres
    ? ['serial', 'integer', 'smallint', 'timestamp', 'inet']
    : ['int unsigned', 'int unsigned', 'tinyint unsigned', 'datetime', 'varbinary(16)'];
  const [one, other] = isPostgres
    ? ["'192.0.2.1'", "'2001:db8::1'"]
    : ["x'c0000201'", "x'20010db8000000000000000000000001'"];
  yield `create table ${prefix}domains (id ${id} primary key, fqdn varchar(255) not null, active boolean not null)`;
  yield `insert into ${prefix}domains values (1, 'example.com', true)`;
  yield `create table ${prefix}reports (id ${id} primary key, domain_id ${number} not null, begin_time ${instant} not null,
    end_time ${instant} not null, loaded_time ${instant} not null, org varchar(255) not null,
    external_id varchar(255) not null, email varchar(255) not null, extra_contact_info varchar(255), error_string text,
    policy_adkim varchar(20), policy_aspf varchar(20), policy_p varchar(20), policy_sp varchar(20),
    policy_np varchar(20), policy_pct varchar(20), policy_fo varchar(20), seen boolean not null)`;
  yield `create table ${prefix}rptrecords (id ${id} primary key, report_id ${number} not null,
    ip ${ip} not null, rcount ${number} not null, disposition ${small} not null, reason text,
    dkim_auth text, spf_auth text, dkim_align ${small} not null, spf_align ${small} not null,
    envelope_to varchar(255), envelope_from varchar(255), header_from varchar(255))`;
  yield `create index ${prefix}of_report on ${prefix}rptrecords (report_id)`;
  yield* inserts(`${prefix}reports`, reports, ({ number, id, begin, end }) => [
    `(${number + 1}, 1, '${utc(begin)}', '${utc(end)}', '${utc(end)}', 'Reporter', '${id}', 'dmarc@reporter.example', null,
      null, 'r', 'r', 'none', 'none', null, '100', null, false)`,
  ]);
  const dkim = (result: string) => `[{"domain":"example.com","selector":"s1","result":"${result}"}]`;
  const spf = '[{"domain":"example.com","scope":"mfrom","result":"fail"}]';
  yield* inserts(`${prefix}rptrecords`, reports, ({ number }) => [
    `(${2 * number + 1}, ${number + 1}, ${one}, ${number + 1}, 2, null, '${dkim('pass')}', '${spf}', 2, 0, null, null, 'example.com')`,
    `(${2 * number + 2}, ${number + 1}, ${other}, 1, 2, '[{"type":"forwarded"}]', '${dkim('fail')}', '${spf}', 0, 0, null, null, 'example.com')`,
  ]);
}

/** The tables that parsedmarc writes to PostgreSQL: those of results and reasons have no index by record. */
export function* parsedmarcTables(reports: number): Generator<string> {
  yield `create table dmarc_aggregate_report (id bigint primary key, xml_schema text, org_name text not null, org_email text,
    org_extra_contact_info text, report_id text not null, begin_date timestamptz not null, end_date timestamptz not null,
    errors text[], domain text not null, adkim text, aspf text, policy text, subdomain_policy text, pct text, fo text)`;
  yield `create table dmarc_aggregate_record (id bigint primary key, report_id bigint not null, interval_begin timestamptz,
    interval_end timestamptz, source_ip_address inet, message_count integer not null, spf_aligned boolean,
    dkim_aligned boolean, disposition text, policy_dkim text, policy_spf text, header_from text, envelope_from text,
    envelope_to text)`;
  yield 'create index on dmarc_aggregate_record (report_id)';
  yield 'create table dmarc_aggregate_record_dkim (id bigint primary key, record_id bigint, domain text, selector text, result text)';
  yield 'create table dmarc_aggregate_record_spf (id bigint primary key, record_id bigint, domain text, scope text, result text)';
  yield 'create table dmarc_aggregate_record_policy_override (id bigint primary key, record_id bigint, override_type text, comment text)';
  yield* inserts('dmarc_aggregate_report', reports, ({ number, id, begin, end }) => [
    `(${number + 1}, '1.0', 'Reporter', 'dmarc@reporter.example', null, '${id}', to_timestamp(${begin}), to_timestamp(${end}), '{}',
      'example.com', 'r', 'r', 'none', 'none', '100', null)`,
  ]);
  yield* inserts('dmarc_aggregate_record', reports, ({ number, begin, end }) => [
    `(${2 * number + 1}, ${number + 1}, to_timestamp(${begin}), to_timestamp(${end}), '192.0.2.1'::inet, ${number + 1}, false, true, 'none', 'pass', 'fail', 'example.com', null, null)`,
    `(${2 * number + 2}, ${number + 1}, to_timestamp(${begin}), to_timestamp(${end}), '2001:db8::1'::inet, 1, false, false, 'none', 'fail', 'fail', 'example.com', null, null)`,
  ]);
  yield* inserts('dmarc_aggregate_record_dkim', reports, ({ number }) => [
    `(${2 * number + 1}, ${2 * number + 1}, 'example.com', 's1', 'pass')`,
  ]);
  yield* inserts('dmarc_aggregate_record_spf', reports, ({ number }) => [
    `(${2 * number + 1}, ${2 * number + 1}, 'example.com', 'mfrom', 'fail')`,
    `(${2 * number + 2}, ${2 * number + 2}, 'example.com', 'mfrom', 'fail')`,
  ]);
  yield* inserts('dmarc_aggregate_record_policy_override', reports, ({ number }) => [
    `(${number + 1}, ${2 * number + 2}, 'forwarded', null)`,
  ]);
}
