/** Notes a departure from the standard at the place that is being read. */
export type Warn = (code: string, detail?: string | null) => void;
