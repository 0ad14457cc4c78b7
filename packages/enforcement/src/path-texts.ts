import type { PathStage } from './path.ts';

/** Stands in the records of the path where an organization has no report address. */
export const EXAMPLE_ADDRESS = 'reports@example.com';
export const ownAddressText = `No report address of yours is known here: put it in place of ${EXAMPLE_ADDRESS}.`;

interface StageTexts {
  title: string;
  /** What to look at before the next stage. */
  watch: string;
  /** How to undo it. */
  back: string;
}

/** What is said about each stage of the path. (rules, enforcement/path) */
export const pathTexts: { readonly [stage in PathStage]: StageTexts } = {
  unpublished: {
    title: 'No record',
    watch: 'Publish a record, so that reports arrive.',
    back: 'Nothing is published yet.',
  },
  monitor: {
    title: 'Monitor',
    watch: 'Wait for reports of 14 days. Decide about each sender, and repair those that are yours.',
    back: 'Nothing to undo: p=none asks receivers to treat no mail of the domain itself differently.',
  },
  test: {
    title: 'Quarantine, in test mode',
    watch:
      'Receivers that follow RFC 9989 do not act yet. Those that only know RFC 7489 ignore t=y and quarantine ' +
      'already, and mailing lists and some filters act too: come here only when the step to quarantine is ready. ' +
      'Watch for senders of yours that fail, for one to two weeks.',
    back: 'Publish the record of the stage before. Receivers follow when its time to live has passed.',
  },
  quarantine: {
    title: 'Quarantine',
    watch:
      'Failing mail goes to spam folders. Watch for complaints, and for senders of yours among the mail that fails, ' +
      'for two weeks.',
    back:
      'Publish p=none. Receivers follow when its time to live has passed; quarantined mail is still in the spam ' +
      'folders.',
  },
  reject: {
    title: 'Reject',
    watch:
      'Failing mail is refused. Watch for a drop in the mail of your own senders, and for bounces that they report.',
    back: 'Publish p=quarantine. Receivers follow when its time to live has passed; refused mail does not come back.',
  },
  subdomains: {
    title: 'Reject, subdomains too',
    watch: 'Failing mail of every name below the domain is refused. Look at each new subdomain before it sends.',
    back: 'Publish sp=none and np=none, or give the subdomain a record of its own.',
  },
};
