/** What the API may have of the ledger: who calls, and what is noted of the call. Nothing else of it is for the API. */
export { onAccessChange } from './access/announce.ts';
export { findKeyHolder, judgeKey, type Caller, type KeyFault, type KeyHolder } from './access/callers.ts';
export { addUsage, forgetUsageBatches, noteKeyUse } from './usage/add-usage.ts';
