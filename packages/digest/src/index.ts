export type { DigestEvent, DigestFacts, DomainFigures, OpenItem } from './digest-facts.ts';
export { digestOf, type Digest } from './digest.ts';
export {
  frequencies,
  issueTime,
  latestIssue,
  nextIssue,
  periodOf,
  type Frequency,
  type IssuePeriod,
} from './schedule.ts';
export { digestHtml } from './digest-html.ts';
export { digestText, type DigestLinks } from './digest-text.ts';
