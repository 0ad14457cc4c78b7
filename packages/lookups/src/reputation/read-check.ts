import { isDomainName, normalizeDomain, printableText } from '@dmarc-ledger/vocabulary';
import { abuseCategoryName } from './abuse-categories.ts';
import type { ReputationFacts } from './reputation-provider.ts';

type Fields = { readonly [name: string]: unknown };

const MAX_HOST_NAMES = 10;
const MAX_REPORTS = 10_000;
/** The maximum of a database integer. */
const MAX_COUNT = 2 ** 31 - 1;
const LAST_INSTANT = Date.UTC(9999, 11, 31);

/** Reads the body of `GET /check`. Undefined without a score: then nothing in it is used. */
export function readCheck(body: unknown): ReputationFacts | undefined {
  const data = fieldsOf(fieldsOf(body)['data']);
  const abuseScore = wholeOf(data['abuseConfidenceScore']);
  if (abuseScore === undefined || abuseScore > 100) return undefined;
  const lastReported = instantOf(data['lastReportedAt']);
  const texts = {
    usageType: textOf(data['usageType']),
    isp: textOf(data['isp']),
    countryCode: textOf(data['countryCode']),
    country: textOf(data['countryName']),
  };
  return {
    abuseScore,
    abuseReports: Math.min(wholeOf(data['totalReports']) ?? 0, MAX_COUNT),
    abuseCategories: categoriesOf(data['reports']),
    ...(lastReported && { abuseLastReported: lastReported }),
    ...Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined)),
    hostNames: listOf(data['hostnames']).flatMap(hostNameOf).slice(0, MAX_HOST_NAMES),
    whitelisted: data['isWhitelisted'] === true,
    tor: data['isTor'] === true,
  };
}

function categoriesOf(reports: unknown): string[] {
  const numbers = listOf(reports)
    .slice(0, MAX_REPORTS)
    .flatMap((report) => listOf(fieldsOf(report)['categories']))
    .flatMap((number) => wholeOf(number) ?? []);
  return [...new Set(numbers)].map(abuseCategoryName).sort();
}

function hostNameOf(value: unknown): string[] {
  const name = typeof value === 'string' ? normalizeDomain(value) : '';
  return isDomainName(name) ? [name] : [];
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? [...value] : [];
}

function wholeOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

function textOf(value: unknown): string | undefined {
  const text = typeof value === 'string' ? printableText(value.trim()) : '';
  return text === '' ? undefined : text;
}

/** To the second; undefined before 1970 or after the year 9999. */
function instantOf(value: unknown): Date | undefined {
  const ms = typeof value === 'string' ? Date.parse(value) : NaN;
  return !(ms >= 0 && ms <= LAST_INSTANT) ? undefined : new Date(Math.floor(ms / 1_000) * 1_000);
}
