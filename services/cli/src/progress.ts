import { Presets, SingleBar } from 'cli-progress';

export interface Progress {
  update: (progress: { received: number; done: number }) => void;
  stop: () => void;
}

/** Shows a progress bar on stderr if it is a terminal; nothing otherwise. */
export function openProgress(what: string): Progress {
  if (!process.stderr.isTTY) return { update: () => undefined, stop: () => undefined };
  const bar = new SingleBar(
    { format: `{bar} {value} of {total} ${what}`, stream: process.stderr, hideCursor: true, clearOnComplete: true },
    Presets.shades_classic,
  );
  bar.start(0, 0);
  return {
    update({ received, done }) {
      bar.setTotal(received);
      bar.update(done);
    },
    stop: () => bar.stop(),
  };
}
