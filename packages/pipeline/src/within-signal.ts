/** What comes of it, or this when it has not come before the signal; after the signal it is not even begun. */
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
