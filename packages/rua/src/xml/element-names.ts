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

/** The namespace of a root element, undefined when it declares none for its own prefix. */
export function rootNamespace(name: string, attributes: ReadonlyMap<string, string>): string | undefined {
  const colon = name.indexOf(':');
  return attributes.get(colon === -1 ? 'xmlns' : `xmlns:${name.slice(0, colon)}`)?.trim();
}

/** True for an element in a foreign namespace, which is an extension and no fault. (RFC 9990, 5) */
export function isForeign(name: string, attributes: ReadonlyMap<string, string>): boolean {
  return name.includes(':') || attributes.has('xmlns');
}
