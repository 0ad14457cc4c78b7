/** An XML element: its name, and its text or its children. Undefined ones are left out. */
export type Element = [name: string, content: string | number | (Element | undefined)[]];

/** The element as text; without an indent, everything is on one line. */
export function elementText([name, content]: Element, indent: string, depth = 0): string {
  const [line, pad] = indent ? ['\n', indent.repeat(depth)] : ['', ''];
  if (!Array.isArray(content)) return `${pad}<${name}>${escapeText(String(content))}</${name}>${line}`;
  const children = content.filter((child) => child !== undefined).map((child) => elementText(child, indent, depth + 1));
  return `${pad}<${name}>${line}${children.join('')}${pad}</${name.split(' ')[0]}>${line}`;
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
