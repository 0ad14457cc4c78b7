export { findDeliveries, type DeliveryRow } from './log.ts';
export { planDeliveries, type DeliveryPlan } from './plan-deliveries.ts';
export {
  addTarget,
  disableTarget,
  findTarget,
  listTargets,
  removeTarget,
  type NewTarget,
  type Target,
  type TargetKey,
} from './targets.ts';
export { beginTry, endTry, type BegunTry, type DeliveryKey, type EndedTry } from './tries.ts';
export { resealTargets } from './reseal-targets.ts';
