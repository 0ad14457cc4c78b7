// The five services, for commands that run one of them.
export { openHost, type HostOptions, type ServiceHost } from './host.ts';
export { openAdmin, serviceEnv, serviceNames, startService, type ServiceEnv, type ServiceName } from './services.ts';
