import { enforcementWords } from '../../texts/enforcement.ts';
import type { EnforcementBody } from './enforcement-body.ts';

/** What RFC 9989 changes for the record, what is to be changed first. */
export function Readiness({ items }: { items: EnforcementBody['readiness'] }) {
  const order = ['change', 'unknown', 'ok'];
  return (
    <section class="panel">
      <h2>Ready for RFC 9989?</h2>
      <ul class="items">
        {items
          .toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state))
          .map(({ topic, state, text }) => (
            <li key={topic}>
              <strong>{enforcementWords.states[state]}.</strong> {text}
            </li>
          ))}
      </ul>
    </section>
  );
}
