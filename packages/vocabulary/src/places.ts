import { idText } from './id.ts';

/** The path of each page of the application; names in braces are filled in. No other file contains such a path. */
const paths = {
  home: '/',
  domain: '/domains/{domain}',
  add_domain: '/domains/add?domain={domain}',
  verify_domain: '/domains/{domain}/verify',
  dns_record: '/domains/{domain}/dns/{protocol}',
  hosted_record: '/domains/{domain}/hosted/{protocol}',
  reports: '/reports?domain={domain}',
  sources: '/sources?domain={domain}',
  source: '/sources/{ip}',
  mailbox: '/settings/mailboxes/{mailbox}',
  ingest: '/settings/ingest',
  api_keys: '/settings/api-keys',
} as const;

type Paths = typeof paths;
type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

/** A page of the application. */
export type Page = keyof Paths;

/** What a link is about: a page, and the names that its path contains, as in `{ page: 'source', ip: '192.0.2.1' }`. */
export type Place = { [P in Page]: { page: P } & { [N in NamesIn<Paths[P]>]: string } }[Page];

/** A place, or the path that an event was stored with. */
export type Link = Place | string;

/** Returns the path of a page, with each name encoded; a stored path as it is. */
export function pathOf(link: Link): string {
  if (typeof link === 'string') return link;
  const names = new Map<string, string>(Object.entries(link));
  return paths[link.page].replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(names.get(name) ?? ''));
}

/**
 * Returns a path of the application with the organization that its page is of, for links that leave the application: a
 * member of several follows them in a browser that shows another.
 */
export function pathIn(orgId: string, path: string): string {
  const [address = '', fragment] = path.split('#', 2);
  const named = `${address}${address.includes('?') ? '&' : '?'}org=${idText(orgId)}`;
  return fragment === undefined ? named : `${named}#${fragment}`;
}
