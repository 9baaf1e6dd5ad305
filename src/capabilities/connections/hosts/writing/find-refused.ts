/**
 * Which items make a host refuse all of them, if it does not say which: halves of those that are refused together are tried
 * until each refused one stands alone.
 */
export async function findRefused<Item>(
  items: readonly Item[],
  isTaken: (items: readonly Item[]) => Promise<boolean>,
): Promise<Item[]> {
  if (items.length < 2) return [...items];
  const middle = Math.ceil(items.length / 2);
  const refused: Item[] = [];
  for (const half of [items.slice(0, middle), items.slice(middle)])
    if (!(await isTaken(half))) refused.push(...(await findRefused(half, isTaken)));
  // Each half was taken alone: together they were refused for another reason, such as their number.
  return refused;
}
