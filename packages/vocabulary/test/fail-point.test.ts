import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { armFailPoints, failPoint, failPoints, isFailPointSpec, type FailPoint } from '@dmarc-ledger/vocabulary';
import { afterEach, expect, it } from 'vitest';

const codes = Object.keys(failPoints) as FailPoint[];

afterEach(() => armFailPoints(''));

it('does nothing, not even wait, where it is not armed', () => {
  expect(codes.map(failPoint)).toEqual(codes.map(() => undefined));
});

it('reports every point that is passed, once', async () => {
  const passed: FailPoint[] = [];
  armFailPoints(codes.map((code) => `${code}=note`).join(), (point) => passed.push(point));
  for (const code of [...codes, ...codes]) await failPoint(code);
  expect(passed).toEqual(codes);
});

it('throws at the time that is named, and never again', async () => {
  armFailPoints('F12=throw@2');
  await failPoint('F13');
  await failPoint('F12');
  await expect(failPoint('F12')).rejects.toThrow('F12: a load is parsed, its transaction not begun.');
  await failPoint('F12');
});

it('delays, and hangs', async () => {
  armFailPoints('F7=delay:50, F13=hang');
  const begun = performance.now();
  await failPoint('F7');
  expect(performance.now() - begun).toBeGreaterThan(45);
  expect(await Promise.race([failPoint('F13'), sleep(50, 'still there')])).toBe('still there');
});

it('kills the process on the spot', () => {
  const from = JSON.stringify(import.meta.resolve('@dmarc-ledger/vocabulary'));
  const code = `import { armFailPoints, failPoint } from ${from};
    armFailPoints('F3=kill@2');
    for (const word of ['one', 'two', 'three']) { await failPoint('F3'); process.stdout.write(word); }`;
  const ended = spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' });
  expect(ended).toMatchObject({ signal: 'SIGKILL', stdout: 'one' });
});

it.each(['F0=kill', 'F3', 'F3=explode', 'F3=delay', 'F3=kill:5', 'F3=kill@0', 'F3=kill;F4=kill', 'F3=kill,'])(
  'does not take %s for a fail point',
  (spec) => {
    expect(isFailPointSpec(spec)).toBe(false);
    expect(() => armFailPoints(spec)).toThrow(expect.objectContaining({ code: 'fail_point_invalid' }));
  },
);
