import type { ComponentChildren } from 'preact';
import { samePage } from '../page/filter.ts';
import { useFrame } from '../page/frame.ts';
import type { TermName } from '../texts/terms.ts';
import { Explain } from './explain.tsx';
import { SaveCsv } from './save-csv.tsx';

/** A column: its heading, what each row shows, and by what the server sorts it. */
export interface Column<Row> {
  label: ComponentChildren;
  /** The word of the heading that a button beside it explains. */
  term?: TermName;
  /** The value of `sort_by`; unset: not sortable. */
  sort?: string;
  isNumber?: boolean;
  isName?: boolean;
  cell: (row: Row) => ComponentChildren;
}

interface TableProps<Row> {
  /** What the table is about, for screen readers and above it. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** By what the server has sorted; unset: this table is not sorted by its headings. */
  sorted?: { by: string; direction: 'asc' | 'desc' };
  /** What to do when there are no rows. */
  empty: ComponentChildren;
}

/** A table that the server sorts: each heading is a link. */
export function Table<Row>({ caption, columns, rows, keyOf, sorted, empty }: TableProps<Row>) {
  if (rows.length === 0) return <p class="soft">{empty}</p>;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={caption}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <Heading key={index} column={column} sorted={sorted} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ cell, isNumber, isName }, index) => (
                <td key={index} class={isNumber ? 'number' : isName ? 'name' : undefined}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Heading<Row>({ column, sorted }: { column: Column<Row>; sorted: TableProps<Row>['sorted'] }) {
  const { url } = useFrame();
  const { label, term, sort, isNumber } = column;
  const isSorted = sort !== undefined && sorted?.by === sort;
  const next = isSorted && sorted.direction === 'desc' ? 'asc' : 'desc';
  const order = sorted?.direction === 'asc' ? 'ascending' : 'descending';
  return (
    <th scope="col" class={isNumber ? 'number' : undefined} aria-sort={isSorted ? order : undefined}>
      {sort === undefined || sorted === undefined ? (
        label
      ) : (
        <a href={samePage(url, { sort_by: sort, sort_dir: next, offset: undefined })}>
          {label}
          {isSorted && <span aria-hidden="true">{sorted.direction === 'desc' ? ' ↓' : ' ↑'}</span>}
        </a>
      )}
      {term && <Explain term={term} />}
    </th>
  );
}

/** Which rows are shown, of how many, and the way to the others. */
export function Pager({ total, limit, offset, csv }: { total: number; limit: number; offset: number; csv?: boolean }) {
  const { url, formats } = useFrame();
  if (total === 0) return null;
  const last = Math.min(offset + limit, total);
  const to = (at: number) => samePage(url, { offset: at || undefined });
  return (
    <nav class="pager small" aria-label="More rows">
      <span>
        {formats.count(Math.min(offset + 1, total))} to {formats.count(last)} of {formats.count(total)}
      </span>
      {offset > 0 && <a href={to(Math.max(0, offset - limit))}>Previous</a>}
      {last < total && <a href={to(offset + limit)}>Next</a>}
      {csv && <SaveCsv total={total} />}
    </nav>
  );
}
