import type { Leave } from './limiter.ts';

/** The heavy work in progress in this process. */
export class HeavyWork {
  readonly #ofOrg = new Map<string, number>();
  #all = 0;

  get all(): number {
    return this.#all;
  }

  of(orgId: string): number {
    return this.#ofOrg.get(orgId) ?? 0;
  }

  begin(orgId: string, onLeave: () => void = () => {}): Leave {
    this.#move(orgId, 1);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#move(orgId, -1);
      onLeave();
    };
  }

  #move(orgId: string, by: number): void {
    this.#all += by;
    const left = this.of(orgId) + by;
    if (left > 0) this.#ofOrg.set(orgId, left);
    else this.#ofOrg.delete(orgId);
  }
}
