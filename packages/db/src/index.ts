export { openDatabase, type Database, type DatabaseOptions, type Db, type Trx } from './database.ts';
export { databaseEnv } from './env.ts';
export { MigrationError } from './errors.ts';
export { migrate, migrationStatus, type MigrationStatus } from './migrate.ts';
export type * from './tables.ts';
