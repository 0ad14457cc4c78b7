/** An answer as `GET /ext/v1/intake` gives it. */
export const intakeExample = {
  days: 30,
  from: '2026-02-01',
  to: '2026-03-02',
  deliveries: 1_204,
  refused: 1,
  newest_at: '2026-03-02T09:12:00Z',
  by_outcome: [
    { state: 'stored', code: null, deliveries: 1_203, newest_at: '2026-03-02T09:12:00Z' },
    { state: 'refused', code: 'xml_malformed', deliveries: 1, newest_at: '2026-02-20T04:00:00Z' },
  ],
  refusals: [
    {
      id: '01JX5T3Z8QK6W4V9N2M7R1C0BD',
      received_at: '2026-02-20T04:00:00Z',
      name: 'report.xml.gz',
      state: 'refused',
      code: 'xml_malformed',
      message: 'the document ends before its report does',
    },
  ],
  mailboxes: [
    {
      id: '01JX5T3Z8QK6W4V9N2M7R1C0BE',
      host: 'imap.example.com',
      folder: 'INBOX',
      state: 'connected',
      fault: null,
      succeeded_at: '2026-03-02T09:14:00Z',
      backlog: 0,
    },
  ],
};
