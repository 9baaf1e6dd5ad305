interface Waiting<Item, Result> {
  readonly item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

interface GatherOptions {
  /** The largest group. */
  readonly max?: number;
  /** Whether the items of a group that failed with this error are tried again one by one, so that one cannot fail the others. */
  readonly triesAlone?: (error: unknown) => boolean;
}

/**
 * Handles items in groups: what arrives under a name while a group of it is being handled forms the next group. Without load
 * no item waits; under load one piece of work covers many. Items keep their order.
 */
export function gatherByName<Item, Result>(
  handle: (name: string, items: readonly Item[]) => Promise<readonly Result[]>,
  { max = 500, triesAlone = () => false }: GatherOptions = {},
): (name: string, item: Item) => Promise<Result> {
  const waitingByName = new Map<string, Waiting<Item, Result>[]>();

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

  async function handleAll(name: string, waiting: Waiting<Item, Result>[]): Promise<void> {
    while (waiting.length > 0) await handleGroup(name, waiting.splice(0, max));
    waitingByName.delete(name);
  }

  return (name, item) => {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const entry = { item, resolve, reject };
    const waiting = waitingByName.get(name);
    if (waiting !== undefined) waiting.push(entry);
    else {
      const first = [entry];
      waitingByName.set(name, first);
      void handleAll(name, first);
    }
    return promise;
  };
}
