import { type Confidence, confidenceLevels, confidenceOfPart } from '@dmarc-ledger/scoring';
import { z } from 'zod';
import { percentage, text } from './fields.ts';

/** The confidence in a rate, wherever one stands. (rules, coverage/confidence) */
export const ConfidenceField = z
  .object({
    level: z.enum(confidenceLevels).describe('How far the rate can be off; `unknown` where nothing can be said.'),
    seen_rate: percentage('Share of the expected mail that was seen and is beyond doubt.').nullable(),
    lowest_rate: percentage('The rate is not below this.').nullable(),
    highest_rate: percentage('The rate is not above this.').nullable(),
    text: text('The confidence and its reason; ready to show.'),
  })
  .meta({ id: 'Confidence' });

export type ConfidenceBody = z.input<typeof ConfidenceField>;

/** The confidence in a rate of v1, whose window may be another: it lies within the interval. */
export function confidenceOfRate(
  { rate, messages }: { rate: number; messages: number },
  { seen_rate: seen }: ConfidenceBody,
): ConfidenceBody {
  const passed = Math.min(messages, Math.round((messages * rate) / 100));
  return toConfidence(confidenceOfPart({ messages, passed }, { seen }));
}

export function toConfidence({ level, seen, lowest, highest, text: said }: Confidence): ConfidenceBody {
  return { level, seen_rate: seen, lowest_rate: lowest, highest_rate: highest, text: said };
}
