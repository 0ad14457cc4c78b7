const WRITTEN = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2})(?:\.\d+)?(Z|[+-]\d{2}:?\d{2})?$/;

/**
 * Seconds since 1970 of an instant: in text with or without a zone (then it is of `zone`, an IANA name), or in
 * milliseconds.
 */
export function secondsOf(value: unknown, zone = 'UTC'): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? Math.floor(value / 1_000) : undefined;
  if (typeof value !== 'string') return undefined;
  const [, day, time, offset] = WRITTEN.exec(value.trim()) ?? [];
  if (day === undefined || time === undefined) return undefined;
  const at = Date.parse(`${day}T${time}${offset === undefined ? 'Z' : offset.replace(/(\d{2})(\d{2})$/, '$1:$2')}`);
  if (Number.isNaN(at)) return undefined;
  return (offset === undefined && zone !== 'UTC' ? inZone(at, zone) : at) / 1_000;
}

/** True for a time zone that this machine knows. */
export function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** The instant at which clocks of the zone show what clocks of UTC show at this one, in milliseconds. */
function inZone(shown: number, zone: string): number {
  const first = shown - offsetAt(shown, zone);
  return shown - offsetAt(first, zone);
}

function offsetAt(at: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((each) => each.type === type)?.value);
  const [year, month, day] = [part('year'), part('month'), part('day')];
  return Date.UTC(year, month - 1, day, part('hour'), part('minute'), part('second')) - at;
}
