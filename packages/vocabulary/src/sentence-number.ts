/** Formats a whole number for a sentence: `12,345`. */
export function groupedDigits(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** A number and what it counts, in the number's form: `1 message`, `2,000 messages`. */
export function counted(number: number, one: string, many = `${one}s`): string {
  return `${groupedDigits(number)} ${number === 1 ? one : many}`;
}
