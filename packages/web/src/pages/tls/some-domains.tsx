const SHOWN = 3;

/** The first domains of a report, and how many more it names. */
export function SomeDomains({ names }: { names: readonly string[] }) {
  if (names.length === 0) return <>not named</>;
  const more = names.length - SHOWN;
  return (
    <>
      {names.slice(0, SHOWN).join(', ')}
      {more > 0 && <span class="soft"> and {more} more</span>}
    </>
  );
}
