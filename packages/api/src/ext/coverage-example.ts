import type { z } from 'zod';
import type { CoverageAnswer } from '../bodies/coverage-schema.ts';

export const coverageExample: z.input<typeof CoverageAnswer> = {
  domain: 'example.com',
  days: 30,
  from: '2026-02-09',
  to: '2026-03-10',
  messages: 27_000,
  compliance_rate: 99.2,
  confidence: {
    level: 'low',
    seen_rate: 88.24,
    lowest_rate: 87.43,
    highest_rate: 99.39,
    text:
      'Low confidence: the reports show 88.2 % of the expected mail, so the share that passes lies between 87.4 ' +
      '% and 99.4 %.',
  },
  missing_days: 0,
  quiet_days: 0,
  unauthenticated_messages: 0,
  conflicting_messages: 0,
  doubtful_messages: 0,
  doubtful_rate: 0,
  dropped_records: 0,
  unseen_messages: 3_600,
  unproven_messages: 0,
  findings: [
    'The large reporter google.com has fallen silent: no report about the last 6 days on which others reported. It ' +
      'used to bring 600 messages a day, 60.0 % of the mail.',
    'No day is missing: every day on which reports were expected has some.',
    'No mail is from reports that may be forged or that contradict another copy.',
    'No record was dropped.',
  ],
  silent_reporters: [
    {
      name: 'google.com',
      last_day: '2026-03-02',
      silent_days: 6,
      chance: 0.0000007,
      usual_messages: 600,
      usual_rate: 60,
      is_large: true,
      text:
        'The large reporter google.com has fallen silent: no report about the last 6 days on which others ' +
        'reported. It used to bring 600 messages a day, 60.0 % of the mail.',
    },
  ],
  silent_reporters_total: 1,
  by_day: [
    {
      day: '2026-03-08',
      state: 'reported',
      reports: 3,
      messages: 400,
      reporters: 3,
      expected_reporters: 4,
      absent_reporters: 1,
      unauthenticated_messages: 0,
      conflicting_messages: 0,
      doubtful_messages: 0,
      doubtful_rate: 0,
      dropped_records: 0,
      unseen_messages: 600,
    },
  ],
  reporters: [
    {
      name: 'google.com',
      state: 'silent',
      reports: 22,
      messages: 13_200,
      message_rate: 48.89,
      report_days: 22,
      expected_days: 28,
      absent_days: 6,
      last_day: '2026-03-02',
    },
  ],
  reporters_total: 4,
};
