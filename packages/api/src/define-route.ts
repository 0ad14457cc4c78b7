import type { Caller } from '@dmarc-ledger/ledger/for-api';
import type { Db } from '@dmarc-ledger/schema';
import type { Day, Permission } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import type { ResponseCaches } from './response-caches.ts';
import type { Attachment, JsonStream } from './http/answer.ts';
import type { Window } from '@dmarc-ledger/limits';

/**
 * Does the expensive part of a heavy route: it takes a slot where the route is capped, and its part of the heavy
 * budget. An answer that is at hand already is given without it, and takes neither:
 *
 *     const body = (await findHeld(db, orgId)) ?? (await expensively((db) => compute(db, orgId)));
 *
 * The work has connections of its own, so that what is quick never waits for them.
 */
export type ExpensiveWork = <Result>(work: (db: Db) => Promise<Result>) => Promise<Result>;

/** How the caller's organization stands with its quota, with this request counted. */
interface Meter {
  window: Window;
  /** Puts all that was counted so far, this request too, on record. */
  write: () => Promise<void>;
}

/** What a handler works with: the database as the caller's organization sees it, and for whom. */
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
 * An endpoint as data: from one table of these come the router, the checks, the OpenAPI document and the page for
 * people.
 */
export interface Route {
  /** Below the base URL, with names in braces. */
  path: string;
  /** A unique name for generated clients. */
  operationId: string;
  permission: Permission;
  tag: Tag;
  summary: string;
  description?: string;
  /**
   * Set for a route whose handler does its work by `expensively`: requests are refused with 429 when the organization's
   * heavy budget is spent and, unless it is `uncapped`, with 503 when its slots are taken.
   */
  heavy?: true | 'uncapped';
  query: z.ZodObject;
  params: z.ZodObject;
  answer: z.ZodType;
  /** Media types that `format` offers instead of the answer. */
  attachments?: { [mediaType: string]: string };
  example: unknown;
  /** What the statuses that are this endpoint's own mean. */
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
  // The table holds handlers of different inputs side by side; each is only ever given what its own readers returned.
  return { ...rest, errors, query: z.object(query ?? {}), params: z.object(params ?? {}) };
}
