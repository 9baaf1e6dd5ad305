import { setTimeout as sleep } from 'node:timers/promises';
import { pullRequest, pullRequestEvent } from '../review-events.ts';
import type { Answer, Node } from './nodes.ts';

/** A write that is retried until it is acknowledged. */
interface Write {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly key?: string;
  /** Whether a successful answer says that the write is stored. */
  isStored(answer: Answer): boolean;
}

/** An acknowledged write, and the number of attempts. */
export interface Acknowledged {
  readonly what: string;
  readonly attempts: number;
}

export interface Tally {
  acknowledged: number;
  refused: number;
  /** The texts of answers that are neither success nor 503 with Retry-After. */
  readonly others: string[];
}

export interface Organization {
  readonly id: string;
  readonly key: string;
  readonly agentKey: string;
}

/** All acknowledged writes, by kind. */
export interface Written {
  readonly events: Acknowledged[];
  readonly learnings: Acknowledged[];
  readonly reviews: Acknowledged[];
  /** The number of changes of the role and the seat of the member of each organization. */
  readonly roles: Map<string, number>;
  readonly seats: Map<string, number>;
}

export interface Writers {
  readonly written: Written;
  /** The counts of the current round. */
  readonly tally: Tally;
  newRound(): void;
  /** When a node first acknowledged something after a moment; undefined if not yet. */
  firstSuccessAfter(node: Node, moment: number): number | undefined;
  /** Waits until no write is in progress, and blocks new ones until `resume`. */
  pause(): Promise<void>;
  resume(): void;
  use(nodes: readonly Node[]): void;
  stop(): Promise<void>;
}

/** The pause of one writer between two changes, long enough to stay below the rate limits, and between two attempts, in ms. */
const pauses = {
  events: 200,
  learnings: 15_000,
  reviews: 25_000,
  roles: 15_000,
  seats: 15_000,
  reads: 2_000,
};
const retryMs = 150;

const reviewOf = (name: string) => {
  const added = ['export function load(name: string): string {', '  return name;', '}'];
  return {
    repository_id: '501',
    diff: `diff --git a/${name} b/${name}\nnew file mode 100644\n--- /dev/null\n+++ b/${name}\n@@ -0,0 +1,3 @@\n${added.map((line) => `+${line}\n`).join('')}`,
    files: [{ path: name, content: `${added.join('\n')}\n` }],
  };
};

/** Starts writers of every kind, each with its own sequence of writes, using the nodes in turn. */
export function startWriters(given: readonly Node[], organizations: readonly Organization[]): Writers {
  let nodes = given;
  let turn = 0;
  let serial = 0;
  let isStopped = false;
  let gate: PromiseWithResolvers<void> | undefined;
  let underWay = 0;
  const written: Written = { events: [], learnings: [], reviews: [], roles: new Map(), seats: new Map() };
  const tally: Tally = { acknowledged: 0, refused: 0, others: [] };
  const successes = new Map<Node, number[]>();

  function count(node: Node, answer: Answer, isGood: boolean, what: string): void {
    if (isGood) successes.set(node, [...(successes.get(node) ?? []), performance.now()]);
    else if (answer.status === 503 && /^[1-9]\d*$/.test(answer.retryAfter ?? '')) tally.refused += 1;
    else tally.others.push(`${what} on ${node.name}: ${answer.status} ${answer.text.slice(0, 200)}`);
  }

  /** Retries until the write is acknowledged; returns the number of attempts, or undefined if it was rejected or stopped. */
  async function write(
    choose: () => Node,
    { method, path, body, key, isStored }: Write,
  ): Promise<number | undefined> {
    for (let attempts = 1; ; attempts += 1) {
      const node = choose();
      const answer = await node.call(method, path, body, key);
      const isGood = answer.status >= 200 && answer.status < 300 && isStored(answer);
      count(node, answer, isGood, `${method} ${path}`);
      if (isGood) tally.acknowledged += 1;
      if (isGood) return attempts;
      // Other errors were counted above, and are permanent.
      if (isStopped || (answer.status !== 503 && answer.status !== 0)) return undefined;
      await sleep(retryMs);
    }
  }

  function note(list: Acknowledged[], what: string, attempts: number | undefined): void {
    if (attempts !== undefined) list.push({ what, attempts });
  }

  async function loop(pauseMs: number, once: () => Promise<void>): Promise<void> {
    await sleep(pauseMs * Math.random());
    while (!isStopped) {
      await gate?.promise;
      if (isStopped) return;
      underWay += 1;
      await once().finally(() => {
        underWay -= 1;
      });
      await sleep(pauseMs * (0.9 + Math.random() / 5));
    }
  }
  const anyNode = () => nodes[turn++ % nodes.length]!;

  async function writeEvent(index: number): Promise<void> {
    const data = pullRequest({ author_id: null });
    const isStored = ({ json }: Answer) => json.accepted + json.duplicate === 1;
    const event = pullRequestEvent(data);
    const request = { method: 'POST', path: '/operator/v1/events', body: event, isStored };
    note(written.events, data.url, await write(() => nodes[index]!, request));
  }
  async function writeLearning({ key }: Organization): Promise<void> {
    const learning = `Number ${++serial} of what was learned is to be kept through a failover.`;
    const body = { data: [{ repository_id: '501', learning }] };
    const isStored = ({ json }: Answer) => json.failed_count === 0;
    const attempts = await write(anyNode, { method: 'POST', path: '/v1/learnings', body, key, isStored });
    note(written.learnings, learning, attempts);
  }
  async function writeReview({ agentKey }: Organization): Promise<void> {
    const name = `load-${++serial}.ts`;
    const request = { method: 'POST', path: '/v1/reviews', body: reviewOf(name), key: agentKey };
    const attempts = await write(anyNode, { ...request, isStored: ({ json }) => json.id !== undefined });
    note(written.reviews, name, attempts);
  }
  async function change(
    counts: Map<string, number>,
    { id, key }: Organization,
    path: string,
    bodies: readonly object[],
  ) {
    const times = counts.get(id) ?? 0;
    const body = bodies[times % 2];
    const isStored = ({ json }: Answer) => json.failed.length === 0;
    const attempts = await write(anyNode, { method: 'POST', path, body, key, isStored });
    if (attempts !== undefined) counts.set(id, times + 1);
  }
  const user_ids = ['9002'];
  const roles = ['cr_admin', 'cr_member'].map((role) => ({ role, user_ids }));
  const seats = ['assign', 'unassign'].map((action) => ({ action, user_ids }));

  async function read({ key }: Organization): Promise<void> {
    const node = anyNode();
    const path = '/v1/metrics/review-comments?start_date=2026-03-01&end_date=2026-03-31&limit=1';
    const answer = await node.call('GET', path, undefined, key);
    if (answer.status !== 200) count(node, answer, false, 'GET /v1/metrics/review-comments');
  }

  const loops = [
    ...given.map((_, index) => loop(pauses.events, () => writeEvent(index))),
    ...organizations.flatMap((organization) => [
      loop(pauses.learnings, () => writeLearning(organization)),
      loop(pauses.reviews, () => writeReview(organization)),
      loop(pauses.roles, () => change(written.roles, organization, '/v1/users/roles', roles)),
      loop(pauses.seats, () => change(written.seats, organization, '/v1/users/seats', seats)),
      loop(pauses.reads, () => read(organization)),
    ]),
  ];

  return {
    written,
    tally,
    newRound() {
      Object.assign(tally, { acknowledged: 0, refused: 0 });
      tally.others.length = 0;
      successes.clear();
    },
    firstSuccessAfter: (node, moment) => successes.get(node)?.find((at) => at >= moment),
    async pause() {
      gate = Promise.withResolvers();
      while (underWay > 0) await sleep(50);
    },
    resume() {
      gate?.resolve();
      gate = undefined;
    },
    use(others) {
      nodes = others;
    },
    async stop() {
      isStopped = true;
      gate?.resolve();
      await Promise.all(loops);
    },
  };
}
