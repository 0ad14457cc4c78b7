import type { Caller } from '@dmarc-ledger/ledger/for-api';
import type { Db } from '@dmarc-ledger/schema';
import type { Day, Permission } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import type { ResponseCaches } from './response-caches.ts';
import type { Attachment, JsonStream } from './http/answer.ts';
import type { Window } from '@dmarc-ledger/limits';

/**
 * Runs the expensive part of a heavy route: takes a slot where the route is capped, and a part of the heavy budget. A
 * handler that has a stored result returns it without this, and uses neither:
 *
 *     const body = (await findHeld(db, orgId)) ?? (await expensively((db) => compute(db, orgId)));
 *
 * The work has connections of its own, so that fast requests never wait for them.
 */
export type ExpensiveWork = <Result>(work: (db: Db) => Promise<Result>) => Promise<Result>;

/** The state of the organization's quota, with this request counted. */
interface Meter {
  window: Window;
  /** Stores all usage counted so far, including this request. */
  write: () => Promise<void>;
}

/** What a handler gets: the database as the caller's organization sees it, and the caller. */
export interface RequestNeeds {
  db: Db;
  caller: Caller;
  now: Date;
  /** The current day in UTC. */
  today: Day;
  expensively: ExpensiveWork;
  caches: ResponseCaches;
  meter: Meter;
}

/**
 * An endpoint as data: the router, the checks, the OpenAPI document and the documentation page are built from a table
 * of these.
 */
export interface Route {
  /** The path below the base path of its table, with parameters in braces. */
  path: string;
  /** For generated clients: a name that is unique in its table. */
  operationId: string;
  permission: Permission;
  /** The group of endpoints in the documentation; the table of the endpoint describes it. */
  tag: string;
  summary: string;
  description?: string;
  /**
   * Set for a route whose handler runs its work by `expensively`: requests are refused with 429 when the organization's
   * heavy budget is used up and, unless it is `uncapped`, with 503 when its slots are taken.
   */
  heavy?: true | 'uncapped';
  query: z.ZodObject;
  params: z.ZodObject;
  answer: z.ZodType;
  /** The media type of an answer that is text; unset: JSON. */
  mediaType?: string;
  /** Also takes the key as a password (RFC 7617), for programs that know nothing else; the user name is ignored. */
  takesPassword?: true;
  /** Media types that `format` offers instead of JSON. */
  attachments?: { [mediaType: string]: string };
  example: unknown;
  /** The meaning of the error statuses that are specific to this endpoint. */
  errors: { [status in 400 | 404 | 503]?: string };
  handle(needs: RequestNeeds, input: { [name: string]: unknown }): Promise<unknown>;
}

interface Definition<Query extends z.ZodRawShape, Params extends z.ZodRawShape, Answer extends z.ZodType> extends Omit<
  Route,
  'query' | 'params' | 'answer' | 'example' | 'errors' | 'handle'
> {
  query?: Query;
  params?: Params;
  answer: Answer;
  example: z.input<Answer>;
  errors?: Route['errors'];
  handle(needs: RequestNeeds, input: Read<Query> & Read<Params>): Promise<z.input<Answer> | Attachment | JsonStream>;
}

const nothing = {};

/** What the readers of a shape return; of an empty shape nothing is known. */
type Read<Shape extends z.ZodRawShape> = [keyof Shape] extends [never] ? unknown : z.output<z.ZodObject<Shape>>;

/** An endpoint whose input and answer the compiler knows, for callers that name it. */
export type TypedRoute<Input, Body> = Omit<Route, 'handle'> & {
  handle(needs: RequestNeeds, input: Input): Promise<Body | Attachment | JsonStream>;
};

export function defineRoute<
  const Answer extends z.ZodType,
  const Query extends z.ZodRawShape = typeof nothing,
  const Params extends z.ZodRawShape = typeof nothing,
>(definition: Definition<Query, Params, Answer>): TypedRoute<Read<Query> & Read<Params>, z.input<Answer>> {
  const { query, params, errors = {}, ...rest } = definition;
  // The table holds handlers with different inputs; each is only called with what its own readers returned.
  return { ...rest, errors, query: z.object(query ?? {}), params: z.object(params ?? {}) };
}
