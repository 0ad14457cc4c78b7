const HOST = /^[A-Za-z0-9.-]+(?::\d{1,5})?$|^\[[0-9A-Fa-f:.]+\](?::\d{1,5})?$/;

/**
 * The address at which a client has reached the API, for examples that can be pasted: from its `Host`, and the scheme
 * that a proxy in front names. An invalid host is replaced, because it comes from outside.
 */
export function originOf(headers: { readonly [name: string]: string | string[] | undefined }): string {
  const { host } = headers;
  const forwarded = headers['x-forwarded-proto'];
  const scheme = forwarded === 'https' ? 'https' : 'http';
  return `${scheme}://${typeof host === 'string' && HOST.test(host) ? host : 'localhost'}`;
}
