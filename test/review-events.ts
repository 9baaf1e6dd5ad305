import { freshId } from './sample-platform.ts';

type Fields = Record<string, unknown>;

let events = 0;

/** Creates an event in its envelope. By default each event has a later time than the previous one. */
export function cloudEvent(type: string, data: Fields, time?: string): Fields {
  events += 1;
  return {
    specversion: '1.0',
    id: `event-${events}`,
    source: 'test',
    type,
    time: time ?? new Date(Date.UTC(2026, 0, 1) + events).toISOString(),
    data: { provider: 'github', org_id: '1001', ...data },
  };
}

/** Creates a finding with a unique id. */
export function finding(fields: Fields = {}): Fields {
  const id = freshId();
  return {
    finding_id: `f-${id}`,
    url: `https://github.test/acme/api/pull/1#discussion_r${id}`,
    severity: 'major',
    category: 'functional_correctness',
    ...fields,
  };
}

/** The data of a pull request with a unique number: merged on 2026-03-10 with one finding. */
export function pullRequest(fields: Fields = {}): Fields & { url: string; number: number } {
  const number = (fields.number as number | undefined) ?? Number(freshId());
  return {
    repository_id: '501',
    number,
    url: `https://github.test/acme/api/pull/${number}`,
    state: 'merged',
    author_id: '9002',
    author_username: 'user-9002',
    created_at: '2026-03-01T08:00:00Z',
    merged_at: '2026-03-10T12:00:00Z',
    findings: [finding()],
    ...fields,
  };
}

/** The event that reports a pull request. */
export function pullRequestEvent(data: Fields = pullRequest(), time?: string): Fields {
  return cloudEvent('postil.pull_request', data, time);
}
