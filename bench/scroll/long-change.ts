const nouns = ['order', 'invoice', 'basket'] as const;

const part = (
  noun: string,
  index: number,
) => `/** What is known about the ${noun} with the number ${index}. */
export async function ${noun}${index}(lines: readonly Line[], rate = ${index / 100}): Promise<number> {
  const known = new Map<string, Line>();
  for (const line of lines.filter(({ count }) => count > ${index})) {
    if (line.price === undefined) throw new Error(\`No price in line \${line.id} of "${noun}"\`);
    known.set(line.id, { ...line, price: line.price * (1 - rate), note: 'Reduced by ${index} %' });
  }
  return [...known.values()].reduce((sum, { price, count }) => sum + price * count, 0);
}

`;

const pathOf = (file: number) => `src/part-${file}.ts`;

/** Ten new files of 500 lines each. */
export const longChange = Object.fromEntries(
  Array.from({ length: 10 }, (_, file) => [
    pathOf(file),
    Array.from({ length: 50 }, (_, index) => part(nouns[index % nouns.length]!, index)).join(''),
  ]),
);

/** Three in each file. */
export const longFindings = Array.from({ length: 30 }, (_, index) => ({
  finding_id: `finding-${index}`,
  path: pathOf(index % 10),
  start_line: 40 + index * 14,
  end_line: 40 + index * 14,
  title: `A fault with the number ${index}`,
}));
