import type { Readable } from 'node:stream';
import type { RequestNeeds } from '@dmarc-ledger/api/answers';
import type { Db } from '@dmarc-ledger/schema';
import type { Permission } from '@dmarc-ledger/vocabulary';
import type { VNode } from 'preact';
import type { z } from 'zod';
import type { Right, Viewer } from './viewer.ts';

/** What a page reads with: what endpoints of v1 need, and the viewer. */
export interface PageNeeds extends RequestNeeds {
  viewer: Viewer;
  /** Opens raw bytes of the viewer's organization, which the ingester has. It is logged. */
  openRaw: (request: RawRequest) => Promise<OpenedRaw>;
}

/** A report's document, of the copy with that SHA-256 or of the counted one; or a delivery as it came in. */
export type RawRequest = { what: 'report'; id: string; copy?: string | undefined } | { what: 'delivery'; id: string };

export interface OpenedRaw {
  /** By its first bytes, such as `xml`, `mail` or `zip`. */
  kind: string;
  /** In bytes; null where it is known only at the end. */
  size: number | null;
  content: Readable;
}

/** A file that the page offers in place of markup, such as its rows as CSV; a stream is sent as it comes. */
export interface Download {
  type: string;
  /** Letters, digits, dots, underscores and hyphens. */
  filename: string;
  body: string | Readable;
}

/** A whole document that is shown by itself, such as a mail: it has styles inside, and may do nothing. */
export interface Standalone {
  document: string;
}

/** Where a page is now; for addresses that links of v1 name. */
interface Elsewhere {
  redirect: string;
}

/** What a page shows: its title, its markup, and how to save what it shows. */
export interface Shown {
  title: string;
  body: VNode;
}

export type Loaded = Shown | Download | Standalone | Elsewhere;

/**
 * A page as data: the router, the checks and the tests are built from a table of these. `query` and `params` never
 * refuse: a value that makes no sense is the default.
 */
export interface Page {
  /** As Fastify writes it, such as `/domains/:domain`. */
  path: string;
  /** What the viewer's role must allow. */
  permission: Permission | Right;
  query: z.ZodObject;
  params: z.ZodObject;
  /** Reads what the page shows. Throws an `HttpProblem` when there is nothing. */
  load(needs: PageNeeds, input: { [name: string]: unknown }): Promise<Loaded>;
}

interface Definition<Query extends z.ZodObject, Params extends z.ZodObject> extends Omit<
  Page,
  'query' | 'params' | 'load'
> {
  query: Query;
  params: Params;
  load(needs: PageNeeds, input: z.output<Query> & z.output<Params>): Promise<Loaded>;
}

export function definePage<const Query extends z.ZodObject, const Params extends z.ZodObject>(
  definition: Definition<Query, Params>,
): Page {
  return definition;
}

/** What the ingester says about a change of settings. */
export interface SettingsAnswer {
  [name: string]: unknown;
}

/** Has the ingester change a setting that the pages may not change themselves, or send what only it may send. */
export type Ask = (change: { [name: string]: unknown }) => Promise<SettingsAnswer>;

/** What an action gets: the organization's data with the right to write, and the viewer. */
interface ActionNeeds {
  db: Db;
  viewer: Viewer;
  now: Date;
  /** The address of this server as the browser sees it, such as `https://dmarc.example`. */
  origin: string;
  ask: Ask;
}

/** What an action leads to: a page to go to, or one to show. */
type Outcome = { redirect: string } | Shown;

/** A form that people post, as data. */
export interface Action {
  path: string;
  right: Right;
  /** The page with the form, which is shown again with what was entered when the form is refused. */
  form?: Page;
  body: z.ZodObject;
  params: z.ZodObject;
  run(needs: ActionNeeds, input: { [name: string]: unknown }): Promise<Outcome>;
}

interface ActionDefinition<Body extends z.ZodObject, Params extends z.ZodObject> extends Omit<
  Action,
  'body' | 'params' | 'run'
> {
  body: Body;
  params: Params;
  run(needs: ActionNeeds, input: z.output<Body> & z.output<Params>): Promise<Outcome>;
}

export function defineAction<const Body extends z.ZodObject, const Params extends z.ZodObject>(
  definition: ActionDefinition<Body, Params>,
): Action {
  return definition;
}
