/**
 * A percentage from 0 to 100 with two decimals, rounded half up in integers. Only the whole gives 100, and only zero
 * gives 0: a smaller part is never shown as 100, and a larger one never as 0. (rules, verdict/rates)
 */
export function rate(part: number, whole: number): number {
  if (whole === 0) return 0;
  const [p, w] = [BigInt(part), BigInt(whole)];
  const rounded = Number((20000n * p + w) / (2n * w)) / 100;
  if (part < whole && rounded === 100) return 99.99;
  if (part > 0 && rounded === 0) return 0.01;
  return rounded;
}
