import type { z } from 'zod';

/** One kind of work: what its payload looks like, and which queue carries it. */
export interface Job<Payload extends z.ZodType = z.ZodType, Name extends string = string> {
  name: Name;
  queue: string;
  payload: Payload;
  /** What makes two jobs the same piece of work: while one waits, another with its key is not added. */
  key?: (payload: z.output<Payload>) => string;
  /** How often it is tried before it is left to the sweep. */
  attempts: number;
}

export function defineJob<Payload extends z.ZodType, Name extends string>(job: Job<Payload, Name>): Job<Payload, Name> {
  return job;
}
