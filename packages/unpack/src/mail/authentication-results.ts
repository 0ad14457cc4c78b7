/** The findings of a server about a message. (RFC 8601) */
export interface AuthenticationResults {
  /** The server's name, in lower case; null where the field has none, as Microsoft 365 writes it. */
  authservId: string | null;
  results: MethodResult[];
}

export interface MethodResult {
  /** In lower case, as is `result`: `dkim`, `pass`. */
  method: string;
  result: string;
  /** By type and name in lower case: `header.d`. Of several equal ones the first. */
  properties: ReadonlyMap<string, string>;
}

const MAX_RESULTS = 50;

/** Reads the value of a field; null when neither the standard nor Microsoft 365 would write it. (RFC 8601, 2.2) */
export function parseAuthenticationResults(value: string): AuthenticationResults | null {
  const [first = [], ...rest] = segmentsOf(value);
  const isNamed = first.length > 0 && !first[0]!.includes('=');
  if (isNamed && (first.length > 2 || (first.length === 2 && !/^\d+$/.test(first[1]!)))) return null;
  if (!isNamed && first.length === 0) return null;
  const segments = isNamed ? rest : [first, ...rest];
  const results = segments.slice(0, MAX_RESULTS).flatMap((items) => resultOf(items) ?? []);
  return { authservId: isNamed ? first[0]!.toLowerCase() : null, results };
}

/** `method[/version]=result` and its properties; undefined for `none`, which means that nothing was checked. */
function resultOf([first = '', ...items]: string[]): MethodResult | null {
  const [name, result] = pairOf(first);
  if (!name || !result) return null;
  const properties = new Map<string, string>();
  for (const item of items) {
    const [key, value] = pairOf(item);
    if (key && value !== undefined && !properties.has(key)) properties.set(key, value);
  }
  return { method: name.split('/', 1)[0]!, result: result.toLowerCase(), properties };
}

function pairOf(item: string): [string, string | undefined] {
  const at = item.indexOf('=');
  return at < 0 ? [item.toLowerCase(), undefined] : [item.slice(0, at).toLowerCase(), item.slice(at + 1)];
}

/**
 * The words of each part between semicolons, without comments (which nest) and with quoted strings unquoted. Spaces
 * around `=` do not separate words.
 */
function segmentsOf(value: string): string[][] {
  const segments: string[][] = [[]];
  let word = '';
  let isQuoted = false;
  let hasEquals = false;
  let depth = 0;
  const endWord = () => {
    if (word) segments.at(-1)!.push(word);
    word = '';
    hasEquals = false;
  };
  for (let i = 0; i < value.length; i += 1) {
    const char = value[i]!;
    if (char === '\\' && (isQuoted || depth > 0)) {
      i += 1;
      if (isQuoted) word += value[i] ?? '';
    } else if (isQuoted) {
      if (char === '"') isQuoted = false;
      else word += char;
    } else if (char === '(') depth += 1;
    else if (depth > 0) depth -= char === ')' ? 1 : 0;
    else if (char === '"') isQuoted = true;
    else if (char === ';') {
      endWord();
      segments.push([]);
    } else if (/\s/.test(char)) {
      if (!(hasEquals && word.endsWith('='))) endWord();
    } else if (char === '=' && !hasEquals) {
      word = `${word || (segments.at(-1)!.pop() ?? '')}=`;
      hasEquals = true;
    } else word += char;
  }
  endWord();
  return segments;
}
