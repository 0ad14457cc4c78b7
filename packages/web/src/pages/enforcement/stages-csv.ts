import { rate } from '@dmarc-ledger/vocabulary';
import type { CsvColumns } from '../../page/csv-file.ts';
import { enforcementWords } from '../../texts/enforcement.ts';
import type { StageRow } from './stages.tsx';

/** The domains on the path to reject as a file. */
export const stageColumns: CsvColumns<StageRow> = {
  domain: ({ domain }) => domain,
  stage: ({ stage }) => stage,
  policy: ({ policy }) => enforcementWords.policy({ ...policy, adkim: null, aspf: null }),
  verdict: ({ verdict }) => verdict,
  next_step: ({ nextStep }) => nextStep,
  messages: ({ messages }) => messages,
  failing: ({ failing }) => failing,
  compliance_rate: ({ messages, failing }) => (messages === 0 ? null : rate(messages - failing, messages)),
  confidence: ({ confidence }) => confidence?.level,
  days_with_reports: ({ reportDays }) => reportDays,
};
