/** The LIKE pattern for a text that contains `text`; `%`, `_` and `\` are escaped. */
export function contains(text: string): string {
  return `%${literal(text)}%`;
}

/** The LIKE pattern for a text that begins with `text`. */
export function startsWith(text: string): string {
  return `${literal(text)}%`;
}

function literal(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
