import type { Caller, Db } from '@dmarc-ledger/db';
import type { Day, Permission } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import type { Attachment, JsonStream } from './http/answer.ts';

/** What a handler works with: the database, and for whom. */
export interface RequestNeeds {
  db: Db;
  caller: Caller;
  now: Date;
  /** The current day in UTC. */
  today: Day;
}

export const tags = ['Reports', 'Analytics', 'Domains', 'Sources', 'Events', 'Vocabulary'] as const;
export type Tag = (typeof tags)[number];

/** An endpoint as data: from one table of these come the router, the checks, the OpenAPI document and the page for people. */
export interface Route {
  /** Below the base URL, with names in braces. */
  path: string;
  /** A unique name for generated clients. */
  operationId: string;
  permission: Permission;
  tag: Tag;
  summary: string;
  description?: string;
  query: z.ZodObject;
  params: z.ZodObject;
  answer: z.ZodType;
  /** Media types that `format` offers instead of the answer. */
  attachments?: { [mediaType: string]: string };
  example: unknown;
  /** What the statuses that are this endpoint's own mean. */
  errors: { [status in 400 | 404]?: string };
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
