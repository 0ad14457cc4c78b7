/** Caches the result of a reading: one reading serves all callers within that time. A failed reading is not kept. */
export function keptFor<T>(ms: number, read: () => Promise<T>): () => Promise<T> {
  let kept: { until: number; reading: Promise<T> } | undefined;
  return () => {
    if (kept && performance.now() < kept.until) return kept.reading;
    const reading = read();
    kept = { until: performance.now() + ms, reading };
    reading.catch(() => (kept = undefined));
    return reading;
  };
}
