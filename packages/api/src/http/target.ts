/** The path of a request target as it was sent: nothing decoded, no query. (RFC 9112, 3.2.1 and 3.2.2) */
export function pathOf(target: string): string {
  const path = target.replace(/^https?:\/\/[^/?]*/i, '');
  const end = path.indexOf('?');
  return end < 0 ? path : path.slice(0, end);
}

/** The query parameters: the first of each name counts, and an empty one is none. */
export function readQuery(target: string): { [name: string]: string } {
  const start = target.indexOf('?');
  const query: { [name: string]: string } = Object.create(null);
  if (start < 0) return query;
  for (const [name, value] of new URLSearchParams(target.slice(start + 1))) query[name] ??= value;
  for (const name of Object.keys(query)) if (query[name] === '') delete query[name];
  return query;
}

/** A path segment as text; undefined when its percent-encoding is broken. */
export function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
