import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiExamples } from '../../src/http/openapi/examples.ts';
import { runScenario } from './run-scenario.ts';

test('every example of the API description is what a server answers (npm run record-examples)', async () => {
  const examples = await runScenario();
  assert.deepEqual(JSON.parse(JSON.stringify(examples)), apiExamples);
});
