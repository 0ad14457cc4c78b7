import { readDomainName, isOneOf, present, trimAsciiSpace } from '@dmarc-ledger/vocabulary';

export interface MtaStsPolicy {
  mode: (typeof MODES)[number];
  /** Seconds. */
  maxAge: number;
  /** Names of hosts, or `*.` and a domain. */
  mx: string[];
}

const LONGEST = 31_557_600;
const KEY = /^([A-Za-z0-9][\w.-]{0,31})[ \t]*:/;
const MODES = ['enforce', 'testing', 'none'] as const;

/** Reads a policy file, or returns why it is invalid. The first value of a repeated key counts. (RFC 8461, 3.2) */
export function readMtaStsPolicy(body: string): MtaStsPolicy | { reason: string } {
  const fields = new Map<string, string>();
  const mx: string[] = [];
  for (const line of body.split(/\r?\n/)) {
    if (trimAsciiSpace(line) === '') continue;
    const [start, key] = KEY.exec(line) ?? [];
    if (start === undefined) return { reason: 'a line is not a field' };
    const value = trimAsciiSpace(line.slice(start.length));
    if (key === 'mx') mx.push(value.toLowerCase());
    else if (!fields.has(present(key))) fields.set(present(key), value);
  }
  if (fields.get('version') !== 'STSv1') return { reason: 'its version is not STSv1' };
  const mode = fields.get('mode');
  if (!isOneOf(MODES, mode)) return { reason: 'its mode is not known' };
  const maxAge = fields.get('max_age') ?? '';
  if (!/^\d{1,10}$/.test(maxAge) || Number(maxAge) > LONGEST) return { reason: 'its max_age is not valid' };
  if (mx.length === 0 && mode !== 'none') return { reason: 'it names no mail servers' };
  if (mx.some((pattern) => !readDomainName(pattern.replace(/^\*\./, '')))) return { reason: 'an mx is no host name' };
  return { mode, maxAge: Number(maxAge), mx };
}

/** True if two policies say the same, whatever the order of their mail servers. */
export function isSamePolicy(one: MtaStsPolicy, other: MtaStsPolicy): boolean {
  const servers = ({ mx }: MtaStsPolicy) => [...new Set(mx)].toSorted().join(' ');
  return one.mode === other.mode && one.maxAge === other.maxAge && servers(one) === servers(other);
}

/** True if a policy names a mail server; `*` stands for one label. (RFC 8461, 4.1) */
export function coversHost({ mx }: MtaStsPolicy, host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  return mx.some((pattern) =>
    pattern.startsWith('*.') ? name.slice(name.indexOf('.')) === pattern.slice(1) : name === pattern,
  );
}
