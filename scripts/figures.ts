import { readFigures, type Figure } from './checks/figures.ts';

// Prints the figures of the sources, and fails when one is beyond its limit. With --list, each place that counts.
const isListing = process.argv.includes('--list');
for (const figure of readFigures()) {
  const isGood = figure.limit === undefined || figure.value <= figure.limit;
  if (!isGood) process.exitCode = 1;
  console.log(`${isGood ? '✓' : '✗'} ${figure.name}: ${Number(figure.value.toFixed(2))}${boundOf(figure)}`);
  if (isListing) for (const place of figure.places) console.log(`    ${place}`);
}

function boundOf({ limit }: Figure): string {
  if (limit === undefined) return '';
  return ` (at most ${limit})`;
}
