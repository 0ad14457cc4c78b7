import { auroraBooks } from './domains/aurora-books.ts';
import { harborClinic } from './domains/harbor-clinic.ts';
import { lumenLabs } from './domains/lumen-labs.ts';
import { newsTidewater } from './domains/news-tidewater.ts';
import { northwindParts } from './domains/northwind-parts.ts';
import { oldBrand } from './domains/old-brand.ts';
import { tidewater } from './domains/tidewater.ts';
import type { SampleStory } from './sample-domain.ts';

/** The domains of the samples: a protected one, one at the beginning, and so on; each shows a state of its own. */
export const domains: SampleStory[] = [
  auroraBooks,
  tidewater,
  harborClinic,
  northwindParts,
  oldBrand,
  lumenLabs,
  newsTidewater,
];
