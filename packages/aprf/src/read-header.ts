import {
  dayOf,
  isDomainName,
  normalizeDomain,
  textField,
  wholeOf,
  isAhead,
  LAST_INSTANT,
} from '@dmarc-ledger/vocabulary';
import type { JsonObject, WarningList } from '@dmarc-ledger/vocabulary';
import { AprfError } from './errors.ts';
import { MAX_REMARK, MAX_TEXT } from './limits.ts';
import type { AprfReport } from './report.ts';

const DAY = 86_400;

/** The reporter, the domain and the day of a report: the UTC day of its start. */
export function readHeader(
  header: JsonObject,
  receivedAt: number,
  warnings: WarningList,
): Omit<AprfReport, 'rows' | 'warnings'> {
  const text = (name: string, limit = MAX_TEXT) => textField(header, name, limit, warnings);
  const required = (name: string): string => {
    const found = text(name);
    if (found === null) warnings.add(`${name}_missing`);
    return found ?? '';
  };
  const source = text('source');
  if (source === null) throw new AprfError('source_missing', 'the report does not name its provider');
  const facts = {
    source,
    dkimDomain: readDomain(text('dkim_domain'), warnings),
    dkimSelector: required('dkim_selector'),
    version: required('version'),
    sdiUsed: required('sdi_used'),
    extraInfo: text('extra_info', MAX_REMARK) ?? '',
    contact: text('contact_info'),
  };
  return { ...facts, ...readDay(header, receivedAt, warnings) };
}

function readDomain(text: string | null, warnings: WarningList): string {
  const [, rollUp = '', name = ''] = /^(\*\.)?(.*)$/.exec(text ?? '') ?? [];
  const domain = normalizeDomain(name);
  if (domain === '') throw new AprfError('dkim_domain_missing', 'the report does not name a signing domain');
  if (!isDomainName(domain)) warnings.add('dkim_domain_invalid');
  return rollUp + domain;
}

function readDay(
  header: JsonObject,
  receivedAt: number,
  warnings: WarningList,
): Pick<AprfReport, 'day' | 'begin' | 'end'> {
  const begin = readInstant(header, 'report_start', warnings);
  if (begin === null) throw new AprfError('report_start_invalid', 'the report has no day');
  const end = readInstant(header, 'report_end', warnings);
  if (end !== null && begin >= end) warnings.add('date_range_reversed');
  else if (end !== null && !isOneDay(begin, end)) warnings.add('date_range_not_one_day');
  if (isAhead(begin, { receivedAt })) warnings.add('date_range_future');
  return { day: dayOf(begin), begin, end };
}

/** From midnight to the last second of the day, or to the next midnight. */
function isOneDay(begin: number, end: number): boolean {
  return begin % DAY === 0 && (end === begin + DAY - 1 || end === begin + DAY);
}

function readInstant(header: JsonObject, name: string, warnings: WarningList): number | null {
  const seconds = wholeOf(header.get(name), 'date_range', name, warnings);
  return seconds !== undefined && seconds <= LAST_INSTANT ? seconds : null;
}
