import type { Survey } from './survey-message.ts';

/** The outcome of sending a query to a server. An answer without survey cannot be parsed. */
export type Exchanged =
  | { bytes: Buffer; survey: Survey | undefined; failure?: undefined }
  | { failure: 'timeout' | 'network' | 'malformed'; detail: string };
