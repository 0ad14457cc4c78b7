export { addUsage, forgetUsageBatches, noteKeyUse, type NewUsage } from './add-usage.ts';
export {
  findKeyUsage,
  findQuotaUse,
  findRequests,
  findUsage,
  type HourRange,
  type KeyUsage,
  type QuotaUse,
  type UsageSums,
} from './find-usage.ts';
export { hourBegin } from './hours.ts';
