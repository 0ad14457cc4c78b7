import { tellable, type Standing, type Standings } from '../standings.ts';
import type { AdmitReply } from './scripted.ts';

/** Before any hour: nothing is known. */
const NOTHING: Standing = { hour: -1, epoch: '', seen: 0, local: 0, unsure: 0, told: 0 };

/** What this process and the shared counters tell each other. */
export class SharedStandings {
  readonly #standings: Standings;

  constructor(standings: Standings) {
    this.#standings = standings;
  }

  /** What goes along with a question about an organization. */
  tell(orgId: string): Standing {
    return { ...(this.#standings.latest(orgId) ?? NOTHING) };
  }

  /** Learns from a reply, which come in the order of the questions, and passes it on. */
  heard(orgId: string, asked: Standing, reply: AdmitReply): AdmitReply {
    const [, hour, , , seen, epoch] = reply;
    if (epoch === '') return reply;
    const known = this.#standings.known(orgId, hour);
    if (known) Object.assign(known, { epoch, seen, told: asked.hour === hour ? tellable(asked) : known.told });
    else this.#standings.set(orgId, { hour, epoch, seen, local: 0, unsure: 0, told: 0 });
    return reply;
  }
}
