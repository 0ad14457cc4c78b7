/** An element's name without its prefix, in lower case, and whether it had to be lowered. */
export interface LocalName {
  local: string;
  lowered: boolean;
}

/** Elements are known by local name, whatever prefix or case they carry. (RFC 9990 leaves both to the reporter) */
export function localName(name: string): LocalName {
  const cut = name.slice(name.indexOf(':') + 1);
  const local = cut.toLowerCase();
  return { local, lowered: local !== cut };
}

/** The namespace that a root element stands in, undefined when it declares none for its own prefix. */
export function rootNamespace(name: string, attributes: ReadonlyMap<string, string>): string | undefined {
  const colon = name.indexOf(':');
  return attributes.get(colon === -1 ? 'xmlns' : `xmlns:${name.slice(0, colon)}`)?.trim();
}

/** True for an element that someone else's namespace claims: an extension, not an oddity. (RFC 9990, 5) */
export function isForeign(name: string, attributes: ReadonlyMap<string, string>): boolean {
  return name.includes(':') || attributes.has('xmlns');
}
