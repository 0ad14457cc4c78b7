const HOST = /^[A-Za-z0-9.-]+(?::\d{1,5})?$|^\[[0-9A-Fa-f:.]+\](?::\d{1,5})?$/;

/** The host that a request names, for addresses that lead back. An invalid one is replaced: it comes from outside. */
export function requestedHost(host: string | string[] | undefined): string {
  return typeof host === 'string' && HOST.test(host) ? host : 'localhost';
}
