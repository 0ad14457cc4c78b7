import type { SampleRecord } from './facts.ts';
import type { Random } from './random.ts';

/** One of the days: its number, its position in the period (from 0 to 1), and its day of the week. */
export interface Moment {
  day: number;
  /** 0 is Sunday. */
  weekday: number;
  progress: number;
  isWorkday: boolean;
}

/** A stream of mail in a domain's name: its volume on a day, and a receiver's findings about one of its servers. */
export interface Stream {
  /** Messages on a day, of all receivers together. */
  volume: (moment: Moment) => number;
  sources: string[];
  /** How many of the sources one receiver sees on a day. */
  spread: number;
  judge: (moment: Moment, random: Random) => Judgement;
}

/** A receiver's findings: the identities, and the aligned outcomes. */
type Judgement = Pick<SampleRecord, 'dkim' | 'spf' | 'dkimResults' | 'spfResult'> & {
  headerFrom?: string;
  reason?: SampleRecord['reason'];
};

/** Addresses that differ in their last part. */
export const range = (prefix: string, from: number, count: number) =>
  Array.from({ length: count }, (_, i) => `${prefix}${from + i}`);
/** A volume of workdays and of weekends, which grows by a fifth over the period. */
export const weekly =
  (workday: number, weekend: number) =>
  ({ isWorkday, progress }: Moment) =>
    (isWorkday ? workday : weekend) * (1 + progress / 5);

/** A server or service that signs and sends correctly for the domain. */
export function ownMail(domain: string, selector: string, returnPath = domain): Stream['judge'] {
  return (_, random) => ({
    dkim: 'pass',
    spf: random.chance(99) ? 'pass' : 'fail',
    dkimResults: [{ domain, selector, result: 'pass' }],
    spfResult: { domain: returnPath, result: random.chance(99) ? 'pass' : 'softfail' },
  });
}

/** Mail that a recipient has forwarded: the path is the forwarder's, the signature mostly survives. */
export function forwarded(domain: string, selector: string, forwarder: string): Stream['judge'] {
  return (_, random) => {
    const dkim = random.chance(60) ? 'pass' : 'fail';
    const reason = random.chance(50)
      ? { type: 'forwarded' }
      : { type: 'local_policy', comment: 'arc=pass as.1.forwarder' };
    return {
      dkim,
      spf: 'fail',
      dkimResults: [{ domain, selector, result: dkim }],
      spfResult: { domain: forwarder, result: 'pass' },
      ...(dkim === 'fail' && { reason }),
    };
  };
}

/** Mail of other senders under the domain's name. */
export function spoofed(domain: string, returnPaths: string[]): Stream['judge'] {
  return (_, random) => ({
    dkim: 'fail',
    spf: 'fail',
    headerFrom: random.chance(20) ? `billing.${domain}` : domain,
    dkimResults: [],
    spfResult: { domain: random.pick(returnPaths), result: random.pick(['fail', 'softfail', 'none', 'none']) },
  });
}
