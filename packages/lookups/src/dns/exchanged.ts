import type { Survey } from './survey-message.ts';

/** How sending a query to a server ended. An answer without survey cannot be read. */
export type Exchanged =
  | { bytes: Buffer; survey: Survey | undefined; failure?: undefined }
  | { failure: 'timeout' | 'network' | 'malformed'; detail: string };
