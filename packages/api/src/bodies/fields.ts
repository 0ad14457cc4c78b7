import { z } from 'zod';

/** The types of values in responses, each defined once. (rules, api/absent-fields) */
export const count = (description: string) => z.int().min(0).describe(description);
export const percentage = (description: string) => z.number().min(0).max(100).describe(`${description} 0 to 100.`);
export const text = (description: string) => z.string().describe(description);
export const identifier = (description: string) =>
  z
    .string()
    .regex(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/)
    .describe(`${description} Opaque, Crockford Base32.`);
export const instant = (description: string) =>
  z
    .string()
    .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    .describe(`${description} RFC 3339, UTC, whole seconds.`)
    .meta({ format: 'date-time' });
export const day = (description: string) =>
  z
    .string()
    .regex(/^\d{4}-\d\d-\d\d$/)
    .describe(`${description} UTC.`)
    .meta({ format: 'date' });

/** The envelope of every list. */
export const paging = {
  total: count('Everything that matches the filter, before paging.'),
  limit: z.int().min(1).max(200).describe('Page size applied.'),
  offset: count('Rows skipped.'),
};

export const hasAny = z.boolean().describe('Whether the organization holds any report at all, whatever the filter.');
