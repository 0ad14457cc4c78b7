import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { failPointEnv, openLogger, readEnv, useFailPoints } from '@dmarc-ledger/runtime';
import { armFailPoints, failPoint } from '@dmarc-ledger/vocabulary';
import { afterEach, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'fail-points-'));
const lines: string[] = [];
const log = openLogger({ name: 'test', level: 'info', to: { write: (line) => void lines.push(line) } });

afterEach(() => {
  armFailPoints('');
  rmSync(folder, { recursive: true, force: true });
});

it('warns when the environment arms fail points, and notes in a file which were passed', async () => {
  const passed = join(folder, 'passed');
  useFailPoints(readEnv(failPointEnv, {}), log);
  expect(lines).toEqual([]);
  useFailPoints(readEnv(failPointEnv, { FAIL_POINTS: 'F9=note, F10=note', FAIL_POINTS_LOG: passed }), log);
  expect(JSON.parse(lines[0]!)).toMatchObject({ level: 'warn', event: 'fail_points.armed', spec: 'F9=note, F10=note' });
  await failPoint('F10');
  await failPoint('F9');
  expect(readFileSync(passed, 'utf8')).toBe('F10\nF9\n');
});

it('takes a misspelled fail point for a fault of the environment', () => {
  expect(() => readEnv(failPointEnv, { FAIL_POINTS: 'F99=kill' })).toThrow(
    expect.objectContaining({
      code: 'env_invalid',
      message: expect.stringContaining('FAIL_POINTS: expected') as string,
    }),
  );
});
