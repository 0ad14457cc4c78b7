import { errorCode, errorMessage } from './coded-error.ts';

/** The server that a connection was for. */
export interface Server {
  host: string;
  port: number;
}

interface Cause {
  /** What happened, where it is known of which server. */
  of: (server: string | undefined) => string;
  check: string;
}

const at = (server: string | undefined) => (server === undefined ? '' : ` at ${server}`);
const THE_SERVER = 'check that the server runs, and that its host and port are right';
const ITS_LOG = 'check that it runs, and its log';
const THE_NETWORK = 'check the network of this machine, and the host of the server';

/** The most telling first: of several addresses, some may belong to a network that the machine does not have. */
const CAUSES = new Map<string, Cause>([
  ['ENOENT', { of: (path) => `there is no socket ${path}`, check: 'check that the server runs, and the path' }],
  ['ECONNREFUSED', { of: (server) => `no server accepts connections${at(server)}`, check: THE_SERVER }],
  ['ECONNRESET', { of: (server) => `the server${at(server)} broke the connection off`, check: ITS_LOG }],
  ['EPIPE', { of: (server) => `the server${at(server)} broke the connection off`, check: ITS_LOG }],
  [
    'ETIMEDOUT',
    {
      of: (server) => `no server answered in time${at(server)}`,
      check: 'check that the server runs, and that no firewall stands between',
    },
  ],
  ['EHOSTUNREACH', { of: (server) => `no network leads to the server${at(server)}`, check: THE_NETWORK }],
  ['ENETUNREACH', { of: (server) => `no network leads to the server${at(server)}`, check: THE_NETWORK }],
  [
    'ENOTFOUND',
    { of: (host = 'of the server') => `the host name ${host} does not exist`, check: 'check how it is spelled' },
  ],
  [
    'EAI_AGAIN',
    {
      of: (host = 'of the server') => `the host name ${host} cannot be looked up at present`,
      check: 'check the DNS of this machine',
    },
  ],
]);

const NAME_CODES = new Set(['ENOTFOUND', 'EAI_AGAIN']);
/** A name can have many addresses, all of which are tried. */
const MOST_ADDRESSES = 3;

/**
 * Returns why a server could not be reached, and what to check; undefined for any other error. Names the server as the
 * error has it, else the one given, and never the user or the password.
 */
export function connectionFailure(error: unknown, server?: Server): string | undefined {
  const failures = failuresOf(error, server);
  const found = [...CAUSES].filter(([code]) => failures.some((failure) => failure.code === code));
  const [first] = found;
  if (!first) return undefined;
  const facts = found.map(([code, { of }]) => {
    const places = failures.flatMap((failure) => (failure.code === code ? (failure.place ?? []) : []));
    return of(listed(places));
  });
  const codes = found.map(([code]) => code);
  return `${[...new Set(facts)].join(', and ')}; ${first[1].check} (${codes.join(', ')})`;
}

/** Returns why something failed, in words where a server could not be reached, without a full stop. */
export function failureReason(error: unknown, server?: Server): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  return connectionFailure(error, server) ?? errorMessage(first).trim().replace(/\.$/, '');
}

interface Failure {
  code: string;
  place: string | undefined;
}

/** One for each address that was tried. */
function failuresOf(error: unknown, server: Server | undefined): Failure[] {
  if (error instanceof AggregateError && error.errors.length > 0)
    return error.errors.flatMap((each) => failuresOf(each, server));
  const code = errorCode(error);
  const isOfFile =
    fieldOf(error, 'path') !== undefined || (code === 'ENOENT' && fieldOf(error, 'syscall') !== 'connect');
  if (code === undefined || isOfFile) return [];
  return [{ code, place: placeOf(error, code) ?? (server && (NAME_CODES.has(code) ? server.host : shown(server))) }];
}

function placeOf(error: unknown, code: string): string | undefined {
  const [host, port] = [fieldOf(error, NAME_CODES.has(code) ? 'hostname' : 'address'), fieldOf(error, 'port')];
  if (typeof host !== 'string') return undefined;
  return typeof port === 'number' ? shown({ host, port }) : host;
}

function shown({ host, port }: Server): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]:${port}` : `${host}:${port}`;
}

function listed(places: readonly string[]): string | undefined {
  const all = [...new Set(places)];
  const more = all.length - MOST_ADDRESSES;
  const named = more > 0 ? [...all.slice(0, MOST_ADDRESSES), `${more} more`] : all;
  return named.length > 1 ? `${named.slice(0, -1).join(', ')} and ${named.at(-1)}` : named[0];
}

function fieldOf(error: unknown, name: string): unknown {
  return typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;
}
