import { CodedError } from '@dmarc-ledger/vocabulary';

/** A file of places or networks that cannot be read as such. */
export class GeoFileError extends CodedError<'geo_file_invalid'> {
  override readonly retryable = true; // the file may be replaced

  constructor(path: string, options?: ErrorOptions) {
    super('geo_file_invalid', `${path} is not a MaxMind DB, or is damaged.`, options);
  }
}
