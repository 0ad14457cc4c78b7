/** The longest line of a file that is read, in bytes. */
const LINE_LIMIT = 64 * 1024 ** 2;

/** A line of a file, or that it is too long to be held. */
export type Line = { number: number; text: string } | { number: number; text: undefined };

/** The lines of a text in UTF-8, without those that are blank. A line that is too long is skipped. */
export async function* readLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Line> {
  let [number, size, parts]: [number, number, Buffer[]] = [1, 0, []];
  const line = (): Line | undefined => {
    const text = size > LINE_LIMIT ? undefined : Buffer.concat(parts).toString('utf8').trim();
    const ended = text === '' ? undefined : { number, text };
    [number, size, parts] = [number + 1, 0, []];
    return ended;
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
      size += at - from;
      if (size <= LINE_LIMIT) parts.push(chunk.subarray(from, at));
      from = at + 1;
      const ended = line();
      if (ended) yield ended;
    }
    size += chunk.length - from;
    if (size <= LINE_LIMIT) parts.push(chunk.subarray(from));
    else parts = [];
  }
  const last = line();
  if (last) yield last;
}
