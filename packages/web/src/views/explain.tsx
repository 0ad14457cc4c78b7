import { useId } from 'preact/hooks';
import { helpOf, terms, type TermName } from '../texts/terms.ts';

/** A button that opens the explanation of a word beside it; a browser's own popover, so it needs no script. */
export function Explain({ term }: { term: TermName }) {
  const { title, text, source } = terms[term];
  const help = helpOf(source);
  const id = useId();
  return (
    <span class="explain">
      {' '}
      <button type="button" popovertarget={id} aria-label={`What is “${title}”?`}>
        ?
      </button>
      <span popover="auto" id={id} role="note" aria-label={title}>
        <strong>{title}.</strong> {text} {help ? <a href={help}>More in the help</a> : `(${source})`}
      </span>
    </span>
  );
}
