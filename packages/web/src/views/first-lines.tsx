import type { ComponentChildren } from 'preact';

/** More than any honest reporter writes into one place; a hostile one may write hundreds. */
const MOST = 10;

/** Texts that others chose, one below the other: the first ten, and how many more there are. */
export function FirstLines({ lines, show }: { lines: readonly string[]; show?: (line: string) => ComponentChildren }) {
  return (
    <>
      {lines.slice(0, MOST).map((line, index) => (
        <div key={index} class="soft small">
          {show ? show(line) : line}
        </div>
      ))}
      {lines.length > MOST && <div class="soft small">and {lines.length - MOST} more</div>}
    </>
  );
}

/** The first of these texts as one, and how many more there are; null without any. */
export function firstOf(texts: readonly string[] | null): string | null {
  if (texts === null || texts.length <= MOST) return texts?.join('; ') ?? null;
  return `${texts.slice(0, MOST).join('; ')}; and ${texts.length - MOST} more`;
}
