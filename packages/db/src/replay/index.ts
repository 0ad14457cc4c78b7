export { countCopiesOpen, countEnded, findEnded, findEndings, type EndedMessage, type ReplayScope } from './scope.ts';
export { putInLine } from './put-in-line.ts';
export { countUndoneBefore, countUnsettled, measureReports, type MeasuredReport } from './measure-reports.ts';
export { findStored, type StoredReport } from './stored-report.ts';
export {
  dropCopy,
  endReread,
  holdCounted,
  judgeAgain,
  putWarnings,
  removeReport,
  warningsBeside,
} from './end-reread.ts';
