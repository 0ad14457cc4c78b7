/** Reports the faults of a file once for each change: a lookup about each of many addresses meets the same one. */
export interface FileFaults {
  /** Rejects with the same fault, after it is reported. */
  noted<Value>(work: () => Promise<Value>): Promise<Value>;
  /** The file can be read: a fault from now on is a new one. */
  over(): void;
}

/** Called with a fault when it begins, or becomes another one. */
export type OnGeoFault = (error: unknown) => void;

export function fileFaults(onFailure: OnGeoFault): FileFaults {
  let known: string | undefined;
  return {
    async noted(work) {
      try {
        return await work();
      } catch (error) {
        const text = String(error);
        if (text !== known) onFailure(error);
        known = text;
        throw error;
      }
    },
    over() {
      known = undefined;
    },
  };
}
