import { vocabulary, keysOf } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { text } from '../bodies/fields.ts';

const EnumEntry = z
  .object({
    code: text('Value on the wire; match on this, never on the label.'),
    label: text('For people; may be reworded.'),
    severity: z
      .enum(['neutral', 'success', 'info', 'warning', 'critical'])
      .optional()
      .describe('How to show the value.'),
    deliverable: z
      .boolean()
      .optional()
      .describe('On alert types: can be pushed to email, a webhook or a chat channel.'),
  })
  .meta({ id: 'EnumEntry' });

const entries = z.array(EnumEntry);
const categories = keysOf(vocabulary);

export const listEnums = defineRoute({
  path: '/enums',
  operationId: 'listEnums',
  permission: 'analytics:read',
  tag: 'Vocabulary',
  summary: 'The values of every shared vocabulary, with labels.',
  description: 'Clients fall back to the raw code for a value that they do not know.',
  answer: z.record(z.enum(categories), entries),
  example: vocabulary,
  handle: async () => vocabulary,
});
