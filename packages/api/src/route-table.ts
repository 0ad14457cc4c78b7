import type { Route } from './define-route.ts';

/** What the documentation says about a table of routes as a whole. */
export interface TableDescription {
  /** The path below which the routes are served, such as `/v1`. */
  basePath: string;
  /** The path of the documentation page. */
  docsPath: string;
  /** The version in short, for headings: `v1`. */
  name: string;
  introduction: string;
  /** What clients can rely on; a sentence or two. */
  promise: string;
  /** The tags of the routes in the order of the documentation, with a sentence about each. */
  tags: { readonly [tag: string]: string };
  /** A path below `basePath` for the example of a request. */
  examplePath: string;
}

/** Endpoints that are served below one base path, and described in a document of their own. */
export interface RouteTable extends TableDescription {
  routes: readonly Route[];
}
