/** Formats a whole number for a sentence: `12,345`. */
export function groupedDigits(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ',');
}
