/** Records a departure from the standard at the current position. */
export type Warn = (code: string, detail?: string | null) => void;
