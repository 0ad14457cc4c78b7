import { expect, it } from 'vitest';
import { connectionFailure, failureReason } from '../src/index.ts';

/** As Node.js makes them: the raw text is the message. */
const failed = (code: string, fields: object = {}) => Object.assign(new Error(`connect ${code}`), { code, ...fields });
const tried = (code: string, address: string) => failed(code, { syscall: 'connect', address, port: 5432 });
const SERVER = 'check that the server runs, and that its host and port are right';

it.each([
  [tried('ECONNREFUSED', '127.0.0.1'), `no server accepts connections at 127.0.0.1:5432; ${SERVER} (ECONNREFUSED)`],
  [
    failed('ECONNREFUSED', { syscall: 'connect', address: '/run/.s.PGSQL.5432' }),
    `no server accepts connections at /run/.s.PGSQL.5432; ${SERVER} (ECONNREFUSED)`,
  ],
  [
    failed('ENOENT', { syscall: 'connect', address: '/run/.s.PGSQL.5432' }),
    'there is no socket /run/.s.PGSQL.5432; check that the server runs, and the path (ENOENT)',
  ],
  [
    failed('ENOTFOUND', { syscall: 'getaddrinfo', hostname: 'db.example' }),
    'the host name db.example does not exist; check how it is spelled (ENOTFOUND)',
  ],
  [
    failed('EAI_AGAIN', { syscall: 'getaddrinfo', hostname: 'db.example' }),
    'the host name db.example cannot be looked up at present; check the DNS of this machine (EAI_AGAIN)',
  ],
  [
    tried('ETIMEDOUT', '192.0.2.1'),
    'no server answered in time at 192.0.2.1:5432; check that the server runs, and that no firewall stands between ' +
      '(ETIMEDOUT)',
  ],
  [
    tried('EHOSTUNREACH', '192.0.2.1'),
    'no network leads to the server at 192.0.2.1:5432; check the network of this machine, and the host of the server ' +
      '(EHOSTUNREACH)',
  ],
  [
    tried('ENETUNREACH', '2001:db8::1'),
    'no network leads to the server at [2001:db8::1]:5432; check the network of this machine, and the host of the ' +
      'server (ENETUNREACH)',
  ],
  [
    failed('ECONNRESET', { syscall: 'read' }),
    'the server broke the connection off; check that it runs, and its log (ECONNRESET)',
  ],
])('%s is a sentence that names the server and what to check', (error, sentence) => {
  expect(connectionFailure(error)).toBe(sentence);
});

it('names every address that was tried, and first what says most', () => {
  const both = new AggregateError([tried('ECONNREFUSED', '::1'), tried('ECONNREFUSED', '127.0.0.1')]);
  expect(connectionFailure(both)).toBe(
    `no server accepts connections at [::1]:5432 and 127.0.0.1:5432; ${SERVER} (ECONNREFUSED)`,
  );
  const mixed = new AggregateError([tried('ENETUNREACH', '2001:db8::1'), tried('ECONNREFUSED', '192.0.2.1')]);
  expect(connectionFailure(mixed)).toBe(
    'no server accepts connections at 192.0.2.1:5432, and no network leads to the server at [2001:db8::1]:5432; ' +
      `${SERVER} (ECONNREFUSED, ENETUNREACH)`,
  );
  const many = new AggregateError([1, 2, 3, 4, 5].map((last) => tried('ECONNREFUSED', `192.0.2.${last}`)));
  expect(connectionFailure(many)).toContain('at 192.0.2.1:5432, 192.0.2.2:5432, 192.0.2.3:5432 and 2 more; ');
});

it('names the server that is given where the error names none', () => {
  const server = { host: 'db.example', port: 3306 };
  expect(connectionFailure(failed('ETIMEDOUT'), server)).toContain('in time at db.example:3306; ');
  expect(connectionFailure(tried('ETIMEDOUT', '192.0.2.1'), server)).toContain('in time at 192.0.2.1:5432; ');
  expect(connectionFailure(failed('ENOTFOUND'), server)).toContain('the host name db.example does not exist; ');
  expect(connectionFailure(failed('ETIMEDOUT'), { host: '[::1]', port: 3306 })).toContain('at [::1]:3306; ');
});

it('leaves any other error its own message', () => {
  const missing = Object.assign(new Error("ENOENT: no such file, open 'a'"), { code: 'ENOENT', syscall: 'open' });
  const awayFolder = failed('ETIMEDOUT', { syscall: 'read', path: '/mnt/a.xml' });
  for (const error of [missing, awayFolder, new Error('x'), 'x', undefined, new AggregateError([])])
    expect(connectionFailure(error)).toBeUndefined();
  expect(failureReason(missing)).toBe("ENOENT: no such file, open 'a'");
  expect(failureReason(new AggregateError([new Error('The first. '), new Error('The second.')]))).toBe('The first');
  expect(failureReason('a text')).toBe('a text');
});
