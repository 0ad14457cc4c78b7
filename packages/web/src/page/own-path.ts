/** A path of this server; anything else is the overview, so that no link leads elsewhere. */
export function ownPath(path: string): string {
  return /^\/(?![/\\])[^\p{Cc}\\]*$/u.test(path) ? path : '/';
}
