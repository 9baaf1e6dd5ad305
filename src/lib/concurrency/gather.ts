interface Waiting<Item, Result> {
  readonly item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

interface GatherOptions {
  /** The largest group. */
  readonly max?: number;
  /** How many groups of a name are handled at once, so that one is prepared while another is being written. */
  readonly atOnce?: number;
  /** Whether the items of a group that failed with this error are tried again one by one, so that one cannot fail the others. */
  readonly triesAlone?: (error: unknown) => boolean;
}

interface Queue<Item, Result> {
  readonly waiting: Waiting<Item, Result>[];
  running: number;
}

/**
 * Handles items in groups: what arrives under a name while as many groups of it as allowed are being handled forms the next
 * one. Without load no item waits; under load one piece of work covers many. Items keep their order, unless several groups are
 * handled at once.
 */
export function gatherByName<Item, Result>(
  handle: (name: string, items: readonly Item[]) => Promise<readonly Result[]>,
  { max = 500, atOnce = 1, triesAlone = () => false }: GatherOptions = {},
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

  async function handleNext(name: string, queue: Queue<Item, Result>): Promise<void> {
    queue.running += 1;
    while (queue.waiting.length > 0) await handleGroup(name, queue.waiting.splice(0, max));
    queue.running -= 1;
    if (queue.running === 0) queues.delete(name);
  }

  return (name, item) => {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const queue = queues.get(name) ?? { waiting: [], running: 0 };
    queues.set(name, queue);
    queue.waiting.push({ item, resolve, reject });
    if (queue.running < atOnce) void handleNext(name, queue);
    return promise;
  };
}
