import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { runScenario } from './run-scenario.ts';

test('the examples of the API description are recorded', async () => {
  const examples = await runScenario();
  const file = path.join(import.meta.dirname, '../../src/http/openapi/examples.json');
  await writeFile(file, `${JSON.stringify(examples, null, 2)}\n`);
});
