/** One service of this process, once it serves. */
export interface RunningService {
  /** The URL that it listens on; null for a service without a port. */
  address: string | null;
  /** Whether the store of its queue answers; absent for a service without a queue. */
  isUp?: () => Promise<boolean>;
}
