export { openDatabase, type Database, type DatabaseOptions, type Db, type Trx } from './database.ts';
export { databaseEnv } from './env.ts';
export { MigrationError } from './errors.ts';
export { migrate, migrationStatus, type MigrationStatus } from './migrate.ts';
export type * from './tables.ts';
export {
  AccessError, addUser, admit, announceAccessChange, createKey, createOrganization, findKeyHolder, findOrganization,
  identifyCaller, listKeys, listOrganizations, listPlans, listUsers, onAccessChange, removeUser, revokeKey, setOrganization,
  setPlan, type Caller, type CreatedKey, type KeyHolder, type NewKey, type NewOrganization, type OrganizationChange,
  type PlanChange,
} from './access/index.ts';
