import type { Day } from '@dmarc-ledger/vocabulary';

/** Numbers, days and instants as the reader's language writes them. Instants are in UTC, and say so. */
export interface Formats {
  locale: string;
  count(value: number): string;
  /** A number in few characters, such as `600m`. */
  short(value: number): string;
  /** A number with the word for one, or for several, of what it counts. */
  counted(value: number, one: string, several: string): string;
  /** A percentage from 0 to 100. 100 and 0 stand for all and nothing: other values never round to them. */
  percent(value: number): string;
  day(value: Day): string;
  /** Without the year, for the axis of a chart. */
  shortDay(value: Day): string;
  instant(value: string | Date): string;
}

const LANGUAGE = /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/;
const cached = new Map<string, Formats>();
const MOST = 100;

/** The formats of the first usable language that the browser asks for, else those of British English. */
export function formatsOf(acceptLanguage: string | undefined): Formats {
  const wanted = (acceptLanguage ?? '').slice(0, 100).split(',');
  const locale = wanted.map((part) => part.split(';')[0]?.trim() ?? '').find(isUsable) ?? 'en-GB';
  let formats = cached.get(locale);
  if (!formats) {
    formats = makeFormats(locale);
    if (cached.size < MOST) cached.set(locale, formats);
  }
  return formats;
}

function isUsable(locale: string): boolean {
  return LANGUAGE.test(locale) && Intl.NumberFormat.supportedLocalesOf([locale]).length > 0;
}

function makeFormats(locale: string): Formats {
  const counts = new Intl.NumberFormat(locale);
  const shorts = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 });
  const percents = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
  const days = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric' });
  const shortDays = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', day: 'numeric', month: 'short' });
  const instants = new Intl.DateTimeFormat(locale, {
    timeZone: 'UTC',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  return {
    locale,
    count: (value) => counts.format(value),
    short: (value) => shorts.format(value),
    counted: (value, one, several) => `${counts.format(value)} ${value === 1 ? one : several}`,
    percent: (value) =>
      value === 0 || value === 100
        ? `${whole.format(value)} %`
        : `${percents.format(Math.min(99.9, Math.max(0.1, value)))} %`,
    day: (value) => days.format(new Date(`${value}T00:00:00Z`)),
    shortDay: (value) => shortDays.format(new Date(`${value}T00:00:00Z`)),
    instant: (value) => `${instants.format(new Date(value))} UTC`,
  };
}
