import type { CallerContext } from '../../../access/caller-context.ts';
import { onlyOrganization } from '../../../access/org-scope.ts';
import type { Database } from '../../../db/database.ts';
import { type Attention, stateOf } from '../../../reviewer/judge/attention.ts';
import { listKnownRules } from './known-rules.ts';
import { findLearnedRules, type LearnedRule, readAttention } from './rule-store.ts';

export interface RulePosition {
  readonly rule: string;
}

/**
 * How often the findings of each rule are accepted in the organization, by name: rules that can raise something there, and
 * those that have.
 */
export async function listRules(
  { database }: { readonly database: Database },
  { scope }: Pick<CallerContext, 'scope'>,
  { after, limit }: { readonly after: RulePosition | undefined; readonly limit: number },
): Promise<{ readonly rules: readonly LearnedRule[]; readonly next: RulePosition | null }> {
  const { id } = onlyOrganization(scope).organization;
  const attention = await readAttention(database.sql, id);
  const learned = await findLearnedRules(database.sql, id);
  const rules = new Map(learned.map((rule) => [rule.rule, rule]));
  for (const rule of await listKnownRules(database.sql, id))
    if (!rules.has(rule)) rules.set(rule, untried(rule));
  const names = [...rules.keys()].filter((rule) => after === undefined || rule > after.rule).sort();
  const page = names.slice(0, limit);
  return {
    rules: page.map((rule) => asItStands(rules.get(rule)!, attention)),
    next: names.length > page.length ? { rule: page.at(-1)! } : null,
  };
}

/** A rule of which nothing is known yet. */
export function untried(rule: string): LearnedRule {
  return {
    rule,
    posted: 0,
    accepted: 0,
    rejected: 0,
    unknown: 0,
    pullRequests: 0,
    chance: null,
    setting: 'automatic',
    state: 'active',
    since: null,
  };
}

/** Computes the state from the present counts: nodes of an earlier version do not store it. */
export function asItStands(rule: LearnedRule, attention: Attention): LearnedRule {
  const state = stateOf(rule, attention);
  return state === rule.state ? rule : { ...rule, state, since: null };
}
