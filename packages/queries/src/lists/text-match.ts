/** The LIKE pattern of a text that stands somewhere, with `%`, `_` and `\` meaning themselves. */
export function contains(text: string): string {
  return `%${literal(text)}%`;
}

/** The LIKE pattern of a text that stands at the beginning. */
export function startsWith(text: string): string {
  return `${literal(text)}%`;
}

function literal(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
