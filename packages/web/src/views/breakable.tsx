import { Fragment } from 'preact';

/** A domain or selector that may break after its dots, so that a narrow column does not break it within a word. */
export function Breakable({ name }: { name: string }) {
  return (
    <>
      {name.split(/(?<=\.)(?=[^.])/).map((part, index) => (
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </>
  );
}
