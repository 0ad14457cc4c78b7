// The ledger that an environment names, for those who start no service of their own.
export { houseEnv, openDatabaseServer, openHouse, type House, type HouseOptions } from './house.ts';
export { showDatabase } from './house-figures.ts';
export { listening } from './listening.ts';
export { readinessOf } from './readiness.ts';
export { withDatabase } from './unusable.ts';
export { VERSION } from './version.ts';
