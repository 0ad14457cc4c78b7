import { Fragment } from 'preact';

/** More dots than a domain with a selector has; what others wrote may consist of them. */
const MOST_PARTS = 20;

/** A domain or selector that may break after its dots, so that a narrow column does not break it within a word. */
export function Breakable({ name }: { name: string }) {
  const parts = name.split(/(?<=\.)(?=[^.])/, MOST_PARTS);
  const rest = name.slice(parts.join('').length);
  return (
    <>
      {parts.map((part, index) => (
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
      {rest}
    </>
  );
}
