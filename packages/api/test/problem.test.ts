import { expect, it } from 'vitest';
import { ext, routes as v1 } from '../src/index.ts';
import {
  badRequest,
  forbidden,
  notFound,
  quotaExceeded,
  rateLimited,
  tooMuchAtOnce,
  unauthorized,
  unavailable,
  unexpected,
  unreadable,
} from '../src/http/problem.ts';
import { takesOf } from '../src/parameters/described.ts';

const problems = [
  badRequest('Bad Request'),
  forbidden('report:read'),
  notFound(),
  quotaExceeded(1),
  rateLimited(1),
  tooMuchAtOnce(),
  unauthorized('missing'),
  unavailable(),
  unexpected(),
  unreadable('HPE_HEADER_OVERFLOW'),
  unreadable('ERR_HTTP_REQUEST_TIMEOUT'),
  unreadable('HPE_INVALID_URL'),
];

it.each(problems.map(({ status, body }) => [status, body.error]))('%d %s is a title', (_, error) =>
  expect(error).toMatch(/^[A-Z][\w-]*(?: [A-Z][\w-]*)*$/),
);

const routes = [...v1, ...ext.routes];
const readers = routes.flatMap(({ path, params, query }) =>
  Object.entries({ ...params.shape, ...query.shape }).map(([name, reader]) => ({ path, name, takes: takesOf(reader) })),
);

it('every parameter that refuses a value says in a sentence what it takes', () => {
  const strict = readers.filter(({ takes }) => takes !== undefined);
  expect(strict.length).toBeGreaterThan(10);
  for (const { name, takes } of strict)
    expect(`${name} must be ${takes}.`).toMatch(/^\w+ must be (?:an?|the) [^.]+.*\.$/);
});

it.each(routes.filter(({ errors }) => errors[400] !== undefined).map((route) => [route.path, route] as const))(
  '%s has a parameter that explains its 400',
  (_, { params, query }) => {
    const all = Object.values({ ...params.shape, ...query.shape });
    expect(all.some((reader) => takesOf(reader) !== undefined)).toBe(true);
  },
);
