import { MOST_CSV_ROWS } from '../page/csv-file.ts';
import { samePage } from '../page/filter.ts';
import { useFrame } from '../page/frame.ts';

/** The way to save the list of the page, with its filter, as CSV. */
export function SaveCsv({ total = 0, more = {} }: { total?: number; more?: { [name: string]: string } }) {
  const { url, formats } = useFrame();
  const text = total > MOST_CSV_ROWS ? `Save the first ${formats.count(MOST_CSV_ROWS)} as CSV` : 'Save as CSV';
  return (
    <a class="unprinted" href={samePage(url, { offset: undefined, format: 'csv', ...more })}>
      {text}
    </a>
  );
}
