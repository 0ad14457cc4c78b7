import { Fragment } from 'preact';

/** Facts by name, one below the other; one without a value is left out. */
export function Facts({ facts }: { facts: readonly (readonly [string, string | number | null | undefined])[] }) {
  const known = facts.filter(([, value]) => value !== null && value !== undefined && value !== '');
  return (
    <dl class="facts">
      {known.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
