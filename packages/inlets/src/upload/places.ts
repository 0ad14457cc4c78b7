import { HttpProblem } from '@dmarc-ledger/vocabulary';

/** The most uploads in progress at a time: of one organization, and in total. */
export interface AtOnce {
  organization: number;
  process: number;
}

const RETRY_SOON = { 'retry-after': '5' };

/** Limits the concurrent uploads of this process: each may hold a file of gigabytes until its end. */
export function placesFor(atOnce: AtOnce): (orgId: string) => Disposable {
  const taken = new Map<string, number>();
  let all = 0;
  return (orgId) => {
    const before = taken.get(orgId) ?? 0;
    if (before >= atOnce.organization) throw tooMany(429, 'Too Many Uploads', 'rate_limited');
    if (all >= atOnce.process) throw tooMany(503, 'Service Unavailable', 'overloaded');
    taken.set(orgId, before + 1);
    all += 1;
    return {
      [Symbol.dispose]() {
        all -= 1;
        const left = (taken.get(orgId) ?? 1) - 1;
        if (left > 0) taken.set(orgId, left);
        else taken.delete(orgId);
      },
    };
  };
}

function tooMany(status: number, error: string, code: string): HttpProblem {
  return new HttpProblem(code, { status, error, code, headers: RETRY_SOON });
}
