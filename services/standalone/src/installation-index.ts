// The ledger that an environment names, for those who start no service of their own.
export {
  installationEnv,
  openDatabaseServer,
  openInstallation,
  type Installation,
  type InstallationOptions,
} from './installation.ts';
export { showDatabase } from './database-metrics.ts';
export { listening } from './listening.ts';
export { readinessOf } from './readiness.ts';
export { withDatabase } from './unusable.ts';
export { VERSION } from './version.ts';
