import { reportable, type HourUsage, type HourUsages } from '../hour-usage.ts';
import type { AdmitReply } from './scripted.ts';

/** The state before any hour: nothing is known. */
const NOTHING: HourUsage = { hour: -1, counterId: '', seen: 0, local: 0, unsure: 0, reported: 0 };

/** The usage that this process and the shared counters exchange. */
export class SharedUsage {
  readonly #usages: HourUsages;

  constructor(usages: HourUsages) {
    this.#usages = usages;
  }

  /** The usage to send with a question about an organization. */
  toReport(orgId: string): HourUsage {
    return { ...(this.#usages.latest(orgId) ?? NOTHING) };
  }

  /** Records a reply, in the order of the questions, and returns it. */
  record(orgId: string, asked: HourUsage, reply: AdmitReply): AdmitReply {
    const [, hour, , , seen, counterId] = reply;
    if (counterId === '') return reply;
    const known = this.#usages.known(orgId, hour);
    const usage = known ?? { ...NOTHING, hour };
    const reported = known && asked.hour === hour ? reportable(asked) : usage.reported;
    this.#usages.set(orgId, Object.assign(usage, { counterId, seen, reported }));
    return reply;
  }
}
