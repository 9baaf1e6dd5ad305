import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { apiExamples } from '../../src/http/openapi/examples.ts';
import { runScenario } from './run-scenario.ts';
import { withoutExample } from './without-example.ts';

interface Operation {
  readonly operationId: string;
  readonly requestBody?: { readonly required?: boolean; readonly content: Contents };
  readonly responses: Readonly<Record<string, { readonly content?: Contents }>>;
}
type Contents = Readonly<Record<string, { readonly example?: unknown }>>;

const file = path.join(import.meta.dirname, '../../openapi.json');
const description = JSON.parse(await readFile(file, 'utf8')) as {
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};

const hasExample = (content: Contents) => Object.values(content).some(({ example }) => example !== undefined);

test('every example in the API description is the actual answer of a server (npm run record-examples)', async () => {
  const examples = JSON.parse(JSON.stringify(await runScenario())) as typeof apiExamples;
  assert.deepEqual(Object.keys(examples), Object.keys(apiExamples));
  // Each by itself, so that a failure shows the operation and its difference.
  for (const [operation, example] of Object.entries(examples))
    assert.deepEqual({ operation, ...example }, { operation, ...apiExamples[operation] });
});

test('every operation has an example of its request and of its answer, or a reason why not', async () => {
  const operations = Object.values(description.paths).flatMap((methods) => Object.values(methods));
  const lacking = operations.filter(({ requestBody, responses }) => {
    const succeeded = Object.entries(responses).filter(([status]) => Number(status) < 300);
    const answers = succeeded.flatMap(([, { content }]) => (content === undefined ? [] : [content]));
    const isAnswered = answers.length === 0 || answers.some(hasExample);
    return !isAnswered || (requestBody !== undefined && !hasExample(requestBody.content));
  });
  assert.deepEqual(
    lacking.map(({ operationId }) => operationId).sort(),
    Object.keys(withoutExample).sort(),
    'a new operation needs a step in scenario.ts and npm run record-examples',
  );
  const recorded = new Set(Object.keys(apiExamples));
  for (const { operationId } of operations)
    assert.ok(recorded.has(operationId) !== operationId in withoutExample, operationId);
});

test('every tag is described', () => {
  const lacking = description.tags.filter((tag) => tag.description === undefined);
  assert.deepEqual(lacking, []);
});
