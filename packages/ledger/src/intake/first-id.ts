/** Returns the smallest id that can be made at or after an instant: ids begin with their time. (RFC 9562, 5.7) */
export function firstIdAt(instant: Date): string {
  const time = Math.max(instant.getTime(), 0).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}
