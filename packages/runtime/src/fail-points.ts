import { appendFileSync } from 'node:fs';
import { armFailPoints } from '@dmarc-ledger/vocabulary';
import type { Logger } from './logger.ts';

export interface FailPointOptions {
  FAIL_POINTS?: string | undefined;
  FAIL_POINTS_LOG?: string | undefined;
}

/** Arms the fail points that the environment names, and logs it as a warning: outside of a test that is a mistake. */
export function useFailPoints({ FAIL_POINTS, FAIL_POINTS_LOG }: FailPointOptions, log: Logger): void {
  if (!FAIL_POINTS) return;
  log.warn(
    { event: 'fail_points.armed', spec: FAIL_POINTS },
    'FAIL POINTS ARE ARMED: this process will break on purpose',
  );
  armFailPoints(FAIL_POINTS, (point) => {
    if (FAIL_POINTS_LOG) appendFileSync(FAIL_POINTS_LOG, `${point}\n`);
  });
}
