/** The part of the ledger that the API may use: identifying callers and recording usage. */
export { onAccessChange } from './access/announce.ts';
export { findKeyHolder, judgeKey, type Caller, type KeyFault, type KeyHolder } from './access/callers.ts';
export { addUsage, forgetUsageBatches, noteKeyUse } from './usage/add-usage.ts';
