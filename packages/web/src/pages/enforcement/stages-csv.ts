import type { EnforcementStage } from '@dmarc-ledger/queries';
import { rate } from '@dmarc-ledger/vocabulary';
import type { CsvColumns } from '../../page/csv-file.ts';
import { enforcementWords } from '../../texts/enforcement.ts';

/** The domains on the path to reject as a file. */
export const stageColumns: CsvColumns<EnforcementStage> = {
  domain: ({ domain }) => domain,
  stage: ({ stage }) => stage,
  policy: ({ policy }) => enforcementWords.policy({ ...policy, adkim: null, aspf: null }),
  messages: ({ messages }) => messages,
  failing: ({ failing }) => failing,
  compliance_rate: ({ messages, failing }) => (messages === 0 ? null : rate(messages - failing, messages)),
  days_with_reports: ({ reportDays }) => reportDays,
};
