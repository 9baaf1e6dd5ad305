import { readApiKey } from '../../../command-settings.ts';
import { readSettings } from '../../../settings.ts';
import { connectKey, type OperatorClient } from '../../operator-client.ts';

/** The options that all commands about rules accept. */
export interface RuleOptions {
  readonly org?: string;
  readonly json?: boolean;
}

export function connectRules(): Promise<OperatorClient> {
  return connectKey(readSettings(), readApiKey());
}

/** The URL path of an endpoint about rules, with its query. */
export function rulesPath(
  place: string,
  query: Readonly<Record<string, string | number | undefined>>,
): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  return `/v1/reviews/rules${place}${given.length === 0 ? '' : `?${new URLSearchParams(given)}`}`;
}

/** The command-line option for each field of a request. */
export const ruleOptionNames = {
  org_id: '--org',
  min_outcomes: '--min-outcomes',
  mute_below: '--mute-below',
  state: '<state>',
  rule: '<rule>',
};

export function percent(share: number | null): string {
  return share === null ? '' : `${(100 * share).toFixed(1)} %`;
}
