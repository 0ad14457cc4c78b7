import { expect, it } from 'vitest';
import { isStorageFailure } from '../src/index.ts';

const failed = (code: string, fields: object = {}) => Object.assign(new Error(code), { code, ...fields });

it.each([
  [failed('ECONNREFUSED'), true],
  [failed('ENETUNREACH'), true],
  [new AggregateError([failed('ENETUNREACH'), failed('ECONNREFUSED')]), true],
  [failed('ENOENT', { syscall: 'connect' }), true],
  [failed('ENOENT', { syscall: 'open' }), false],
  [new Error('another fault'), false],
])('%s is a database that cannot be reached: %s', (error, isFailure) => {
  expect(isStorageFailure(error)).toBe(isFailure);
});
