/** The warning of a report of which no mail passed as the reporter. */
export const UNAUTHENTICATED = 'report_mail_unauthenticated';

/** The code of a document that is held, and of its delivery: its mail did not pass as the reporter. */
export const HELD_CODE = 'report_held';

/** The same for a report that was imported without what the reporter sent. */
export const IMPORT_HELD_CODE = 'import_held';
