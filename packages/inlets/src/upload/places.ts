import { UploadRefused } from './upload-errors.ts';

/** Gives each organization so many places in this process: an upload may hold a file of gigabytes until its end. */
export function placesFor(atOnce: number): (orgId: string) => Disposable {
  const taken = new Map<string, number>();
  return (orgId) => {
    const before = taken.get(orgId) ?? 0;
    if (before >= atOnce)
      throw new UploadRefused(429, 'Too Many Uploads', 'rate_limited', { headers: { 'retry-after': '5' } });
    taken.set(orgId, before + 1);
    return {
      [Symbol.dispose]() {
        const left = taken.get(orgId)! - 1;
        if (left > 0) taken.set(orgId, left);
        else taken.delete(orgId);
      },
    };
  };
}
