import { readEnv, runService, wholeNumber } from '@dmarc-ledger/runtime';

// A service process. It prints what it opens and closes; its first argument names the fault.
const [trouble] = process.argv.slice(2);
const say = (line: string) => process.stdout.write(`${line}\n`);

await runService('sample', async (use, { signal, stop }) => {
  use('first', (name) => say(`closed ${name}`));
  use('second', async (name) => {
    if (trouble === 'close') throw new Error('will not close');
    if (trouble === 'slow') await new Promise((resolve) => setTimeout(resolve, 500));
    if (trouble === 'hang') await new Promise(() => {});
    say(`closed ${name}`);
  });
  use(
    setInterval(() => {}, 1_000),
    clearInterval,
  );
  signal.addEventListener('abort', () => say('stopping'));
  if (trouble === 'sentence') readEnv({ PORT: wholeNumber(1, 9) }, { PORT: 'x' });
  if (trouble === 'start') throw new Error('the start failed');
  if (trouble === 'lost')
    setTimeout(() => {
      throw new Error('lost');
    }, 10);
  if (trouble === 'itself') setTimeout(stop, 10);
  say('ready');
});
