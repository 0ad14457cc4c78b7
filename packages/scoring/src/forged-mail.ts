import { addDays, type Day } from '@dmarc-ledger/vocabulary';

/** A day on which a domain had much more failing mail than is usual for it. */
export interface LoudDay {
  domainId: string;
  domain: string;
  day: Day;
  failing: number;
}

/** Such days that follow each other. */
export interface Wave {
  domainId: string;
  domain: string;
  from: Day;
  to: Day;
  failing: number;
}

/** A day is loud with this many failing messages, and so many times those of the middle day of the range. */
export const loudDay = { messages: 100, factor: 5 };
/** The share of the failing messages that suspicious addresses must have sent. */
const SUSPICIOUS_SHARE = 0.5;

/** Joins days that follow each other to waves. Takes them by domain, in order. */
export function wavesOf(days: readonly LoudDay[]): Wave[] {
  const waves: Wave[] = [];
  for (const { domainId, domain, day, failing } of days) {
    const last = waves.at(-1);
    if (last?.domainId === domainId && addDays(last.to, 1) === day) {
      last.to = day;
      last.failing += failing;
    } else waves.push({ domainId, domain, from: day, to: day, failing });
  }
  return waves;
}

/** Whether a wave is forged mail rather than, say, a broken server of one's own. */
export function isForged({ failing }: Pick<Wave, 'failing'>, suspiciousMessages: number): boolean {
  return suspiciousMessages >= failing * SUSPICIOUS_SHARE;
}
