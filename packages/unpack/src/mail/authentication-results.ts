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

/** Besides those of DMARC: servers write them after the results of signatures, of which a mail can have any number. */
const MAX_RESULTS = 50;

/** Reads the value of a field; null when neither the standard nor Microsoft 365 would write it. (RFC 8601, 2.2) */
export function parseAuthenticationResults(value: string): AuthenticationResults | null {
  const [first = [], ...rest] = segmentsOf(value);
  const [name, version] = first;
  if (name === undefined) return null;
  const isNamed = !name.includes('=');
  if (isNamed && (first.length > 2 || (version !== undefined && !/^\d+$/.test(version)))) return null;
  const segments = isNamed ? rest : [first, ...rest];
  const results = segments.flatMap((items) => resultOf(items) ?? []);
  return { authservId: isNamed ? name.toLowerCase() : null, results: results.filter(isKept) };
}

function isKept({ method }: MethodResult, index: number): boolean {
  return index < MAX_RESULTS || method === 'dmarc';
}

/** `method[/version]=result` and its properties; null for `none`, which means that nothing was checked. */
function resultOf([first = '', ...items]: string[]): MethodResult | null {
  const [name, result] = pairOf(first);
  if (!name || !result) return null;
  const properties = new Map<string, string>();
  for (const item of items) {
    const [key, value] = pairOf(item);
    if (key && value !== undefined && !properties.has(key)) properties.set(key, value);
  }
  return { method: name.replace(/\/.*$/s, ''), result: result.toLowerCase(), properties };
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
  let segment: string[] = [];
  const segments = [segment];
  let word = '';
  let isQuoted = false;
  let hasEquals = false;
  let isValueDue = false;
  let depth = 0;
  const endWord = () => {
    if (word) segment.push(word);
    word = '';
    hasEquals = false;
    isValueDue = false;
  };
  for (let i = 0; i < value.length; i += 1) {
    const char = value.charAt(i);
    if (char === '\\' && (isQuoted || depth > 0)) {
      i += 1;
      if (isQuoted) word += value[i] ?? '';
    } else if (isQuoted) {
      if (char === '"') isQuoted = false;
      else word += char;
    } else if (char === '(') depth += 1;
    else if (depth > 0) depth -= char === ')' ? 1 : 0;
    else if (char === '"') {
      isQuoted = true;
      isValueDue = false;
    } else if (char === ';') {
      endWord();
      segment = [];
      segments.push(segment);
    } else if (/\s/.test(char)) {
      if (!isValueDue) endWord();
    } else if (char === '=' && !hasEquals) {
      word = `${word || (segment.pop() ?? '')}=`;
      hasEquals = true;
      isValueDue = true;
    } else {
      word += char;
      isValueDue = false;
    }
  }
  endWord();
  return segments;
}
