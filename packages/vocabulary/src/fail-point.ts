import { setTimeout as sleep } from 'node:timers/promises';
import { CodedError } from './coded-error.ts';

/**
 * The instants at which crashes are tested, in the order of a report's journey. At each of them, nothing may be lost
 * and nothing counted twice.
 */
export const failPoints = {
  F1: 'the mailbox is selected, its UIDVALIDITY verified',
  F2: 'the UIDs that are not stored yet are listed',
  F3: 'the bytes are received, not stored',
  F4: 'the blob is durable, no row refers to it',
  F5: 'the message, its place in the mailbox and the work that follows are written, not committed',
  F6: 'they are committed, the mailbox is untouched',
  F7: 'the flag or the move is sent, its reply not seen',
  F8: 'the message is moved, its row not brought up to date',
  F9: 'announced work is read, not in the queue',
  F10: 'the work is in the queue, still announced',
  F11: 'a worker has begun a job',
  F12: 'a load is parsed, its transaction not begun',
  F13: 'facts, rollups and states are written, not committed',
  F14: 'the work of a job is committed, the job not completed',
  F15: 'dirty rollups are computed again, not committed',
  F16: 'and committed, nothing reported',
  F17: 'a batch of a purge is committed, the next not begun',
} as const;

export type FailPoint = keyof typeof failPoints;

export class FailPointError extends CodedError<'fail_point_invalid' | 'fail_point'> {
  override readonly retryable: boolean;
  constructor(code: 'fail_point_invalid' | 'fail_point', message: string) {
    super(code, message);
    this.retryable = code === 'fail_point';
  }
}

/** Marks where the process is. Does nothing, unless a test has armed this point. */
export function failPoint(point: FailPoint): Promise<void> | void {
  if (armed !== undefined) return pass(point, armed);
}

/**
 * Arms points: `F3=kill`, `F7=delay:500` (milliseconds), `F12=throw`, `F13=hang`, `F9=note`, several separated by
 * commas, each at the first time it is passed or, with `F3=kill@2`, at the second; each once. `onFired` is called just
 * before. Empty disarms all.
 */
export function armFailPoints(spec: string, onFired: (point: FailPoint) => void = () => {}): void {
  const faults = spec.trim() === '' ? [] : spec.split(',').map(readFault);
  armed = faults.length === 0 ? undefined : { faults, onFired };
}

/** True if the text is valid. */
export function isFailPointSpec(spec: string): boolean {
  return spec.split(',').every((text) => SPEC.test(text.trim()));
}

interface Fault {
  point: FailPoint;
  action: string;
  delayMs: number;
  /** How often the point is still passed before it fires. */
  passes: number;
}

interface Armed {
  faults: Fault[];
  onFired: (point: FailPoint) => void;
}

const SPEC = new RegExp(
  `^(${Object.keys(failPoints).join('|')})=(?:(kill|throw|hang|note)|(delay):(\\d{1,6}))(?:@([1-9]\\d{0,5}))?$`,
);

let armed: Armed | undefined;

function readFault(text: string): Fault {
  const [, point, plain, delay, delayMs, passes] = SPEC.exec(text.trim()) ?? [];
  const action = plain ?? delay;
  if (!point || !action)
    throw new FailPointError('fail_point_invalid', `"${text}" is not a fail point with an action.`);
  return { point: point as FailPoint, action, delayMs: Number(delayMs ?? 0), passes: Number(passes ?? 1) };
}

async function pass(point: FailPoint, { faults, onFired }: Armed): Promise<void> {
  for (const fault of faults) {
    if (fault.point !== point) continue;
    fault.passes -= 1;
    if (fault.passes !== 0) continue;
    onFired(point);
    await happen(fault);
  }
}

async function happen({ point, action, delayMs }: Fault): Promise<void> {
  if (action === 'throw') throw new FailPointError('fail_point', `${point}: ${failPoints[point]}.`);
  if (action === 'delay') await sleep(delayMs);
  if (action === 'kill') process.kill(process.pid, 'SIGKILL');
  if (action === 'kill' || action === 'hang') await new Promise(() => {});
}
