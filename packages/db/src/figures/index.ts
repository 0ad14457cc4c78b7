export { findDeliveryBacklog, findDirtyBacklog, findIntakeLag, findOutboxBacklog, type Backlog } from './backlogs.ts';
