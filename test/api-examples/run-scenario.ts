import type { ApiExample, ApiExamples } from '../../src/http/openapi/examples.ts';
import { scenario } from './scenario.ts';
import { startScenarioServer } from './scenario-server.ts';

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** Keys, secrets, tokens and cursors: long, and different in every run. */
const random = /\b(?<kind>[a-z]+_)?(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{30,}/g;
const webhookSecret = /whsec_[A-Za-z0-9+/=]+/g;
/** The scores of a search result, which depend on the ranking algorithm. */
const ranks = new Set(['score', 'meaning', 'words']);
const exampleUuid = /^00000000-0000-7000-8000-\d{12}$/;

/** Replaces values that differ from run to run with similar constant ones; equal values get the same replacement. */
function stabilize(hostUrl: string) {
  const uuids = new Map<string, string>();
  const stableUuid = (found: string) => {
    const known = uuids.get(found) ?? `00000000-0000-7000-8000-${String(uuids.size + 1).padStart(12, '0')}`;
    uuids.set(found, known);
    return known;
  };
  const text = (given: string) =>
    given
      .replaceAll(hostUrl, 'https://git.acme.test')
      .replaceAll(webhookSecret, 'whsec_ZXhhbXBsZQ==')
      .replaceAll(uuid, stableUuid)
      .replaceAll(random, (found, kind: string | undefined) =>
        exampleUuid.test(found) ? found : `${kind ?? ''}example`,
      );
  const value = (given: unknown): unknown => {
    if (typeof given === 'string') return given.startsWith('diff --git') ? given : text(given);
    if (Array.isArray(given)) return given.map(value);
    if (typeof given !== 'object' || given === null) return given;
    // `$ref` is left out, for example of SCIM references, because readers of an API description resolve it even within examples.
    const entries = Object.entries(given).filter(([name]) => name !== '$ref');
    return Object.fromEntries(entries.map(([name, inner]) => [name, ranks.has(name) ? 0.5 : value(inner)]));
  };
  return value;
}

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
