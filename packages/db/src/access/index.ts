export { announceAccessChange, onAccessChange } from './announce.ts';
export { findKeyHolder, identifyCaller, judgeKey, type Caller, type KeyFault, type KeyHolder } from './callers.ts';
export { AccessError } from './errors.ts';
export { findOwner } from './find-owner.ts';
export { createKey, listKeys, revokeKey, type CreatedKey, type NewKey } from './keys.ts';
export {
  createOrganization,
  findOrganization,
  listOrganizations,
  setOrganization,
  type NewOrganization,
  type OrganizationChange,
} from './organizations.ts';
export { findPlan, listPlans, setPlan, type PlanChange } from './plans.ts';
export { addUser, listUsers, removeUser } from './users.ts';
