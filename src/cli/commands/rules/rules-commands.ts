import type { Command } from 'commander';
import { addRulesList } from './rules-list.ts';
import { addRulesReplay } from './rules-replay.ts';
import { addRulesSet } from './rules-set.ts';

export function addRules(program: Command): void {
  const rules = program
    .command('rules')
    .description('results and settings of rules in an organization; acts with the key POSTIL_API_KEY');
  for (const add of [addRulesList, addRulesSet, addRulesReplay])
    add(rules)
      .option('--org <id>', 'the organization, for the token of a workspace')
      .option('--json', 'print as JSON');
}
