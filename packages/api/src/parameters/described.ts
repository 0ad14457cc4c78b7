import { z } from 'zod';

/** The documentation of a parameter; the reader itself accepts any text. */
interface Description {
  description: string;
  schema: { [keyword: string]: unknown };
  /** Of a parameter that refuses other values: what it takes, as the end of a sentence. */
  takes?: string;
}

/** What the parameters say of themselves. */
export const described = z.registry<Description>();

export function describeParameter(reader: z.ZodType): Description {
  const description = described.get(reader);
  if (!description) throw new TypeError('A parameter is described where it is defined.');
  return description;
}

/** What a parameter takes that refuses other values; undefined for one that never does. */
export function takesOf(reader: unknown): string | undefined {
  return reader instanceof z.ZodType ? described.get(reader)?.takes : undefined;
}
