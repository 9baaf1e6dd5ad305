import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultsOf } from '../../../../test/reference-faults.ts';

const summed = (name: string, item: string) => `export function ${name}(orders: Order[]): number {
  let ${item} = 0;
  for (const order of orders) {
    if (order.isCancelled) continue;
    const price = order.price * order.quantity;
    ${item} += price;
    if (order.discount !== undefined) {
      ${item} -= price * order.discount;
    }
    if (${item} > 1_000_000) {
      throw new RangeError('too much');
    }
    console.log(order.identifier, ${item});
    notifyWarehouse(order, ${item});
    recordStatistics(order);
  }
  return Math.round(${item} * 100) / 100;
}
`;
const copies = async (...given: Parameters<typeof faultsOf>) =>
  (await faultsOf(...given)).filter((fault) => fault.startsWith('references/copied'));

test('an added copy of existing code is found with its original, regardless of names and formatting', async () => {
  const files = { 'src/sum.ts': `// sums\n${summed('sum', 'total')}` };
  const copy = summed('addUp', 'result').replaceAll('\n  ', '\n      ').replaceAll(';', '');
  assert.deepEqual(await copies(files, { 'lib/add.ts': `// adds\n\n${copy}` }), [
    'references/copied lib/add.ts:new 3 (src/sum.ts:2) Apart from names and formatting, lines 2 to 18 of `src/sum.ts` are the same',
  ]);
  const again = `${files['src/sum.ts']}\n${summed('again', 'all')}`;
  assert.equal((await copies(files, { 'src/sum.ts': again })).length, 1, 'also in its own file');
});

test('moved code, licence headers, imports, tables and other code are no copies', async () => {
  const licence = Array.from({ length: 20 }, (_, index) => ` * Line ${index} of a long licence text\n`).join(
    '',
  );
  const imports = Array.from(
    { length: 20 },
    (_, index) => `import { name${index} } from './file${index}';\n`,
  );
  const table = Array.from({ length: 30 }, (_, index) => `  countryNumber${index}: 'text ${index}',\n`).join(
    '',
  );
  const files = {
    'sum.ts': summed('sum', 'total'),
    'a.ts': `/*\n${licence} */\n${imports.join('')}export const table = {\n${table}};\n`,
  };
  assert.deepEqual(await copies(files, { 'sum.ts': null, 'moved/sum.ts': summed('sum', 'total') }), []);
  assert.deepEqual(await copies(files, { 'b.ts': files['a.ts'].replace('table', 'other') }), []);
  const short = summed('sum', 'total').split('\n').slice(0, 9).join('\n');
  assert.deepEqual(await copies(files, { 'c.ts': `${short}\n  }\n  return 1;\n}\n` }), []);
});

test('moved code that resembles a third place, and equal code with other strings, are no copies', async () => {
  const files = { 'a.ts': summed('sum', 'total'), 'b.ts': summed('other', 'all') };
  assert.deepEqual(await copies(files, { 'b.ts': null, 'c.ts': files['b.ts'] }), []);
  const rows = (texts: string) =>
    Array.from(
      texts,
      (letter, index) => `  register${index % 9}('${letter}${letter}', options.part${index});\n`,
    );
  const table = (texts: string) =>
    `export function fill(options: Options) {\n  checkOptions(options);\n${rows(texts)
      .map((row, index) => `${index % 2 ? '' : '  if (options.isWanted)'}${row}`)
      .join('')}}\n`;
  const one = { 'd.ts': table('abcdefghijklmnop') };
  assert.deepEqual(await copies(one, { 'e.ts': table('ABCDEFGHIJKLMNOP') }), []);
});
