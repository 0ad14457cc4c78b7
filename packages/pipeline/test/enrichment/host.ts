import { labelsOf, type Address } from './address.ts';
import { pick } from './dice.ts';

/** The DNS records about the name of an address, and the facts that follow from them. */
export interface Host {
  /** Lines of zones, by origin. */
  records: { zone: string; line: string }[];
  /** Served by a server that never answers. */
  isSilent: boolean;
  state: 'confirmed' | 'unconfirmed' | 'unchecked' | 'none' | null;
  name: string | null;
  /** Made from the address, or of a consumer connection. */
  generic: boolean;
  /** Begins with a label of a forwarding server. */
  relays: boolean;
  /** The service that operates it, by its confirmed name. */
  service?: string;
}

const shares = [
  [2_400, 'none'],
  [1_800, 'plain'],
  [1_000, 'generic'],
  [500, 'sendgrid.net'],
  [500, 'google.com'],
  [500, 'improvmx.com'],
  [1_000, 'lie'],
  [300, 'other address'],
  [60, 'silent'],
  [60, 'half'],
  [700, 'relay'],
  [300, 'two names'],
  [880, 'generic and unconfirmed'],
] as const;

const services = { 'sendgrid.net': 'sendgrid', 'google.com': 'google-workspace', 'improvmx.com': 'improvmx' };

export function hostOf(address: Address): Host {
  const { index, isPublic } = address;
  const none: Host = { records: [], isSilent: false, state: 'none', name: null, generic: false, relays: false };
  if (!isPublic) return { ...none, state: null };
  const kind = pick(index, 'host', shares);
  const named = (name: string, rest: Partial<Host>, forward: string | undefined = address.ip): Host => ({
    ...none,
    name,
    records: [pointer(address, name), ...(forward ? [forwardTo(address, name, forward)] : [])],
    state: 'confirmed',
    ...rest,
  });
  switch (kind) {
    case 'none':
      return none;
    case 'plain':
      return named(`mail-${letters(index)}.hosts.test`, {});
    case 'generic':
      return named(`dyn-${letters(index)}.pool.access.test`, { generic: true });
    case 'sendgrid.net':
    case 'google.com':
    case 'improvmx.com':
      return named(`out-${letters(index)}.${kind}`, { service: services[kind] });
    case 'lie':
      return named(`out-${letters(index)}.google.com`, { state: 'unconfirmed' }, '');
    case 'other address':
      return named(`mail-${letters(index)}.hosts.test`, { state: 'unconfirmed' }, elsewhere(address));
    case 'silent':
      return { ...none, isSilent: true, state: null };
    case 'half':
      return named(`mail-${letters(index)}.silent.test`, { state: 'unchecked' }, '');
    case 'relay':
      return named(`relay-${index}.${letters(index)}.hosts.test`, { relays: true });
    case 'two names': {
      const host = named(`second-${letters(index)}.hosts.test`, {});
      return { ...host, records: [...host.records, pointer(address, `first-${letters(index)}.hosts.test`)] };
    }
    case 'generic and unconfirmed':
      return named(`client-${letters(index)}.pool.access.test`, { generic: true, state: 'unconfirmed' }, '');
  }
}

/** The number in letters: a name with digits could be made from the address. */
function letters(index: number): string {
  return [...String(index)].map((digit) => 'ghijklmnop'[Number(digit)]).join('');
}

function pointer(address: Address, name: string): { zone: string; line: string } {
  const zone = address.family === 4 ? 'in-addr.arpa' : 'ip6.arpa';
  return { zone, line: `${labelsOf(address)} PTR ${name}.` };
}

function forwardTo({ family }: Address, name: string, to: string): { zone: string; line: string } {
  const labels = name.split('.');
  const zone = labels.slice(-2).join('.');
  return { zone, line: `${labels.slice(0, -2).join('.')} ${family === 4 ? 'A' : 'AAAA'} ${to}` };
}

function elsewhere({ family }: Address): string {
  return family === 4 ? '45.3.255.1' : '2a0f:e5c0:1:ffff::1';
}
