import { z } from 'zod';

const LENGTHS = { 30: 30, 60: 60, 90: 90 } as const;

/** The lengths of a window in days that decisions are made by. */
export const windowLengths = Object.values(LENGTHS);

/** The length that a page asks for; any other value is 30. */
export const windowDays = z
  .enum(['30', '60', '90'])
  .catch('30')
  .transform((value) => (value === '90' ? LENGTHS[90] : value === '60' ? LENGTHS[60] : LENGTHS[30]));
