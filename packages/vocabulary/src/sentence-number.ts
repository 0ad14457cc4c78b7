/** A whole number as it stands in a sentence: `12,345`. */
export function groupedDigits(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ',');
}
