import type { z } from 'zod';
import type { namedRuleBody, rulePage } from '../../../../src/capabilities/reviews/attention/schemas.ts';

export type RulePage = z.output<typeof rulePage>;
export type Rule = RulePage['data'][number];
export type RuleSetting = z.output<typeof namedRuleBody>['state'];

export const rulesKey = (organization: string) => ['review-rules', organization];

export const states = ['quiet', 'active', 'pinned', 'off'] as const satisfies readonly Rule['state'][];

export const stateColors: Readonly<Record<Rule['state'], string>> = {
  active: 'teal',
  quiet: 'orange',
  pinned: 'indigo',
  off: 'gray',
};

/** Whether a rule has no posted comments, no outcomes and the default state. */
export function isUntried({ posted, accepted, rejected, state }: Rule): boolean {
  return posted + accepted + rejected === 0 && state === 'active';
}

/** Orders rules by the number of their posted comments, most first. */
export function mostHeardFirst(a: Rule, b: Rule): number {
  return b.posted - a.posted || (a.rule < b.rule ? -1 : 1);
}
