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

export const tags = ['Reports', 'Analytics', 'Domains', 'Sources', 'Events', 'API keys', 'Vocabulary'] as const;
export type Tag = (typeof tags)[number];

/**
 * An endpoint as data: the router, the checks, the OpenAPI document and the documentation page are built from a table
 * of these.
 */
export interface Route {
  /** The path below the base URL, with parameters in braces. */
  path: string;
  /** A unique name for generated clients. */
  operationId: string;
  permission: Permission;
  tag: Tag;
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
  handle(
    needs: RequestNeeds,
    input: z.output<z.ZodObject<Query>> & z.output<z.ZodObject<Params>>,
  ): Promise<z.input<Answer> | Attachment | JsonStream>;
}

const nothing = {};

export function defineRoute<
  const Answer extends z.ZodType,
  const Query extends z.ZodRawShape = typeof nothing,
  const Params extends z.ZodRawShape = typeof nothing,
>(definition: Definition<Query, Params, Answer>): Route {
  const { query, params, errors = {}, ...rest } = definition;
  // The table holds handlers with different inputs; each is only called with what its own readers returned.
  return { ...rest, errors, query: z.object(query ?? {}), params: z.object(params ?? {}) };
}
