/** Returns the path of a request target as sent: not decoded, without the query. (RFC 9112, 3.2.1 and 3.2.2) */
export function pathOf(target: string): string {
  const path = target.replace(/^https?:\/\/[^/?]*/i, '');
  const end = path.indexOf('?');
  return end < 0 ? path : path.slice(0, end);
}

/** Reads the query parameters: the first of each name counts, and an empty one counts as absent. */
export function readQuery(target: string): { [name: string]: string } {
  const start = target.indexOf('?');
  const query: { [name: string]: string } = Object.create(null);
  if (start < 0) return query;
  for (const [name, value] of new URLSearchParams(target.slice(start + 1))) query[name] ??= value;
  for (const name of Object.keys(query)) if (query[name] === '') delete query[name];
  return query;
}

/** Decodes a path segment; undefined if its percent-encoding is invalid. */
export function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
