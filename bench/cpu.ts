import { readdirSync, readFileSync } from 'node:fs';

/** Processor seconds of this process and of the database, and seconds of wall-clock time. */
export interface Cost {
  client: number;
  server: number;
  wall: number;
}

/** Ticks of the processor times under /proc, the same on every Linux that Node.js runs on. */
const TICKS_A_SECOND = 100;

/** Runs the work and returns its cost. The server is a process with all its children, the ended ones included. */
export async function costOf(serverPid: number, work: () => Promise<void>): Promise<Cost> {
  const [server, client, begin] = [serverSeconds(serverPid), process.cpuUsage(), performance.now()];
  await work();
  const { user, system } = process.cpuUsage(client);
  const wall = (performance.now() - begin) / 1000;
  return { client: (user + system) / 1e6, server: serverSeconds(serverPid) - server, wall };
}

export function sumOf({ client, server }: Cost): number {
  return client + server;
}

export function addCosts(...costs: Cost[]): Cost {
  return costs.reduce((a, b) => ({ client: a.client + b.client, server: a.server + b.server, wall: a.wall + b.wall }));
}

/** The process that started this one. */
export function parentOf(pid: number): number {
  return statOf(pid)!.parent;
}

/** Processor seconds of this process's children that have ended. */
export function endedChildrenSeconds(): number {
  return statOf(process.pid)!.ofEnded / TICKS_A_SECOND;
}

/** Processor seconds of the process and of its children, the ended ones included. */
export function serverSeconds(pid: number): number {
  const own = statOf(pid)!;
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const children = ids.map((id) => statOf(Number(id))).filter((stat) => stat?.parent === pid);
  return (own.used + own.ofEnded + children.reduce((sum, stat) => sum + stat!.used, 0)) / TICKS_A_SECOND;
}

function statOf(pid: number): { parent: number; used: number; ofEnded: number } | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = line
      .slice(line.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number); // the name may hold spaces
    return { parent: fields[1]!, used: fields[11]! + fields[12]!, ofEnded: fields[13]! + fields[14]! };
  } catch {
    return undefined; // ended in the meantime
  }
}
