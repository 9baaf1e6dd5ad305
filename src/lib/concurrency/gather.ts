interface Waiting<Item, Result> {
  readonly item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

interface GatherOptions {
  /** The largest group. */
  readonly max?: number;
  /**
   * For callers that wait for each item before they send the next one: while a group is handled, the others come back. So a
   * group takes half of the items, and waits this long at most for those of them that are on their way. Otherwise it takes all
   * that have arrived.
   */
  readonly patienceMs?: number;
  /** Whether the items of a group that failed with this error are tried again one by one, so that one cannot fail the others. */
  readonly triesAlone?: (error: unknown) => boolean;
}

interface Queue<Item, Result> {
  readonly waiting: Waiting<Item, Result>[];
  onArrival(): void;
}

/**
 * Handles items in groups: what arrives under a name while a group of it is being handled forms the next one. Without load no item
 * waits; under load one piece of work covers many. Items keep their order.
 */
export function gatherByName<Item, Result>(
  handle: (name: string, items: readonly Item[]) => Promise<readonly Result[]>,
  { max = 500, patienceMs = 0, triesAlone = () => false }: GatherOptions = {},
): (name: string, item: Item) => Promise<Result> {
  const queues = new Map<string, Queue<Item, Result>>();

  async function handleGroup(name: string, group: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await handle(
        name,
        group.map(({ item }) => item),
      );
      for (const [index, { resolve }] of group.entries()) resolve(results[index]!);
    } catch (error) {
      if (group.length > 1 && triesAlone(error)) for (const entry of group) await handleGroup(name, [entry]);
      else for (const { reject } of group) reject(error);
    }
  }

  async function untilArrived(count: number, queue: Queue<Item, Result>): Promise<void> {
    if (count === 1 || queue.waiting.length >= count) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, patienceMs);
    queue.onArrival = () => {
      if (queue.waiting.length >= count) resolve();
    };
    await promise;
    clearTimeout(timer);
    queue.onArrival = () => {};
  }

  async function handleAll(name: string, queue: Queue<Item, Result>): Promise<void> {
    let size = max;
    while (queue.waiting.length > 0) {
      const group = queue.waiting.splice(0, size);
      await handleGroup(name, group);
      if (patienceMs === 0) continue;
      size = Math.min(max, Math.ceil((group.length + queue.waiting.length) / 2));
      await untilArrived(size, queue);
    }
    queues.delete(name);
  }

  return (name, item) => {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const waiting = { item, resolve, reject };
    const queue = queues.get(name);
    if (queue === undefined) {
      const begun = { waiting: [waiting], onArrival: () => {} };
      queues.set(name, begun);
      void handleAll(name, begun);
    } else {
      queue.waiting.push(waiting);
      queue.onArrival();
    }
    return promise;
  };
}
