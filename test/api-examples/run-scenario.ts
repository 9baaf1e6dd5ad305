import type { ApiExample, ApiExamples } from '../../src/http/openapi/examples.ts';
import { scenario } from './scenario.ts';
import { startScenarioServer } from './scenario-server.ts';
import { stabilize } from './stabilize.ts';

/** Sends every request of the scenario to a fresh server, and returns each with its answer. */
export async function runScenario(): Promise<ApiExamples> {
  const server = await startScenarioServer();
  const example = stabilize(server.hostUrl);
  const examples: Record<string, ApiExample> = {};
  for (const step of scenario(server.hostUrl)) {
    const request = await server.requestOf(step);
    const answer = await server.take(step, request);
    const response = answer.json ?? (answer.text === '' ? undefined : answer.text);
    examples[step.operation] = {
      ...(request.body !== undefined && { request: example(request.body) }),
      status: answer.status,
      ...(response !== undefined && { response: example(response) }),
    };
  }
  return examples;
}
