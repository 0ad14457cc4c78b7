import type { ComponentChildren } from 'preact';

/** A text that others chose, such as a reporter's name of 255 letters, in at most three lines; all of it on hovering. */
export function Clamped({ text, children = text }: { text: string; children?: ComponentChildren }) {
  return (
    <div class="clamp" title={text}>
      {children}
    </div>
  );
}
