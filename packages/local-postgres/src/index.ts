export { claimDataDir } from './claim.ts';
export { LocalPostgresError } from './errors.ts';
export { freePort } from './free-port.ts';
export { startLocalPostgres, type LocalPostgres, type LocalPostgresOptions } from './start-local-postgres.ts';
