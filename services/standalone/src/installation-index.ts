// The installation that an environment names, for commands that start no service.
export {
  installationEnv,
  openDatabaseServer,
  openInstallation,
  type Installation,
  type InstallationOptions,
} from './installation.ts';
export { isSystemError, systemReason } from './system-reason.ts';
export { withDatabase } from './installation-error.ts';
export { VERSION } from './version.ts';
