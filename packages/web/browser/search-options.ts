import type { Options } from 'minisearch';

/** A part of a page of the help, between two headings. */
export interface Section {
  /** With its anchor, such as `/help/limits#mailboxes`. */
  address: string;
  page: string;
  heading: string;
  text: string;
}

/** How sections are indexed when the help is built, and searched in the browser. */
export const searchOptions: Options<Section> = {
  idField: 'address',
  fields: ['page', 'heading', 'text'],
  storeFields: ['page', 'heading', 'text'],
  searchOptions: {
    boost: { heading: 4, page: 2 },
    prefix: true,
    fuzzy: (term) => (term.length > 5 ? 0.2 : false),
    combineWith: 'AND',
  },
};
