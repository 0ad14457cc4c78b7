import { useFrame } from '../page/frame.ts';
import { windowLengths } from '../page/window-days.ts';
import { KeptFilter } from './filter-form.tsx';

/** The choice of a window; a form that needs no script. */
export function WindowForm({ days }: { days: number }) {
  const { url } = useFrame();
  return (
    <form class="filter" method="get" action={url.pathname} role="search" aria-label="Filter">
      <label>
        Days
        <select name="days">
          {windowLengths.map((length) => (
            <option key={length} value={length} selected={length === days}>
              {length}
            </option>
          ))}
        </select>
      </label>
      <KeptFilter except={['days']} />
      <button>Apply</button>
    </form>
  );
}
