import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { streamReport } from '../src/index.ts';
import { MAX_ELEMENTS, MAX_RECORDS } from '../src/limits.ts';
import { ReadingClock } from '../src/reading-clock.ts';
import { ElementLimits } from '../src/xml/element-limits.ts';

/** Inputs that are too large for a fixture file are built here. */
const HEAD = `<feedback><report_metadata><org_name>R</org_name><email>a@r.example</email><report_id>1</report_id>
  <date_range><begin>1743465600</begin><end>1743551999</end></date_range></report_metadata>
  <policy_published><domain>shop.example</domain><p>none</p></policy_published>`;

async function* records(count: number): AsyncGenerator<Buffer> {
  yield Buffer.from(HEAD);
  const many = Buffer.from('<record/>'.repeat(10_000));
  for (let left = count; left > 0; left -= 10_000) yield many.subarray(0, Math.min(left, 10_000) * 9);
  yield Buffer.from('</feedback>');
}

async function read(source: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const event of streamReport(source, { receivedAt: 1_743_600_000 })) void event;
}

it(
  'a report of as many records as may be is read, and one of another record refused',
  { timeout: 120_000 },
  async () => {
    await read(records(MAX_RECORDS));
    await expect(read(records(MAX_RECORDS + 1))).rejects.toMatchObject({ code: 'too_many_records' });
  },
);

it('a report of 1,500 records of 300 kB each is read with a heap of 128 MiB', { timeout: 120_000 }, async () => {
  const program = join(import.meta.dirname, 'long-records-process.ts');
  const read = promisify(execFile)(process.execPath, ['--max-old-space-size=128', program, '1500']);
  expect((await read).stdout).toBe('1500\n');
});

it('a document of more elements than any report is refused', () => {
  const limits = new ElementLimits();
  const open = (count: number) => {
    for (let i = 0; i < count; i += 1) {
      limits.open('a');
      limits.close();
    }
  };
  open(MAX_ELEMENTS);
  expect(() => open(1)).toThrow(expect.objectContaining({ code: 'xml_too_large' }));
});

describe('a document that takes longer to read than any report', () => {
  afterEach(() => vi.useRealTimers());

  it.each([
    ['without a further record for a minute', [30_000, 31_000], false],
    ['for a quarter of an hour in all', Array<number>(16).fill(59_000), true],
  ])('is refused: %s', (_, steps, madeProgress) => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const clock = new ReadingClock();
    const spend = () => {
      for (const step of steps) {
        vi.advanceTimersByTime(step);
        clock.check(madeProgress);
      }
    };
    expect(spend).toThrow(expect.objectContaining({ code: 'parse_timeout' }));
  });

  it('is not one whose consumer takes its time', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const clock = new ReadingClock();
    vi.advanceTimersByTime(3_600_000);
    clock.resume();
    expect(() => clock.check(false)).not.toThrow();
  });
});
