import { streamReport } from '../src/index.ts';
import { longRecords } from './long-records.ts';

// Reads a report of as many long records as the argument says, and prints how many it was given.
for await (const event of streamReport(longRecords(Number(process.argv[2])), { receivedAt: 1_743_600_000 }))
  if (event.type === 'end') process.stdout.write(`${event.records}\n`);
