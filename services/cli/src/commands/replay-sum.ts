import type { Figures, ReplaySummary } from '@dmarc-ledger/pipeline';

/** Adds up the replays of several organizations; zeros for none. */
export function sumReplays(replays: readonly ReplaySummary[]): ReplaySummary {
  const sum = (count: (replay: ReplaySummary) => number) => replays.reduce((total, replay) => total + count(replay), 0);
  return {
    deliveries: {
      read: sum(({ deliveries }) => deliveries.read),
      endings: sumEndings(replays.flatMap(({ deliveries }) => deliveries.endings)),
      missing: replays.flatMap(({ deliveries }) => deliveries.missing),
      held: sum(({ deliveries }) => deliveries.held),
    },
    reports: {
      added: sum(({ reports }) => reports.added),
      changed: sum(({ reports }) => reports.changed),
      rejudged: sum(({ reports }) => reports.rejudged),
      removed: sum(({ reports }) => reports.removed),
      unchanged: sum(({ reports }) => reports.unchanged),
    },
    before: sumFigures(replays.map(({ before }) => before)),
    after: sumFigures(replays.map(({ after }) => after)),
  };
}

type Ending = ReplaySummary['deliveries']['endings'][number];

function sumEndings(endings: readonly Ending[]): Ending[] {
  const sums: Ending[] = [];
  for (const { from, to, deliveries } of endings) {
    const same = sums.find((ending) => ending.from === from && ending.to === to);
    if (same) same.deliveries += deliveries;
    else sums.push({ from, to, deliveries });
  }
  return sums;
}

function sumFigures(all: readonly Figures[]): Figures {
  const sum = (count: (figures: Figures) => number) => all.reduce((total, figures) => total + count(figures), 0);
  return {
    rows: sum(({ rows }) => rows),
    messages: sum(({ messages }) => messages),
    classes: {
      authenticated: sum(({ classes }) => classes.authenticated),
      likely_forwarded: sum(({ classes }) => classes.likely_forwarded),
      suspicious: sum(({ classes }) => classes.suspicious),
      needs_review: sum(({ classes }) => classes.needs_review),
    },
  };
}
