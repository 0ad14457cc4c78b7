/** The result of the work, or the given value when the signal comes first; after the signal the work is not begun. */
export async function withinSignal<Value, Over>(
  begin: () => Promise<Value>,
  over: Over,
  signal: AbortSignal | undefined,
): Promise<Value | Over> {
  if (!signal) return await begin();
  if (signal.aborted) return over;
  const { promise, resolve } = Promise.withResolvers<Over>();
  const stop = () => resolve(over);
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([begin(), promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
