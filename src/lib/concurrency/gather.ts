interface Waiting<Item, Result> {
  readonly item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

interface GatherOptions {
  /** The maximum number of items in a group. */
  readonly max?: number;
  /**
   * For callers that wait for the result of an item before they send the next one: those of a finished group soon return. So
   * the next group is half of the items in circulation, and waits at most this long for them to arrive. If 0, a group takes
   * all items that have arrived.
   */
  readonly patienceMs?: number;
  /** Whether the items of a group that failed with this error are retried one by one, so that one item cannot fail the others. */
  readonly triesAlone?: (error: unknown) => boolean;
}

interface Queue<Item, Result> {
  readonly waiting: Waiting<Item, Result>[];
  onArrival(): void;
}

/**
 * Batches items: those that arrive under a name while a group with this name is being handled form the next group. Without
 * load no item waits; under load one call handles many. Items keep their order.
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
