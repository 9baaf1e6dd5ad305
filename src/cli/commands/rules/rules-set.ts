import { Argument, type Command } from 'commander';
import { examples } from '../../command-examples.ts';
import { print } from '../../output.ts';
import { connectRules, type RuleOptions, ruleOptionNames, rulesPath } from './rules-client.ts';

export function addRulesSet(rules: Command): Command {
  return rules
    .command('set')
    .description('pin a rule, turn it off, or let the outcomes of its comments decide')
    .argument('<rule>', 'such as oxlint/no-eval')
    .addArgument(new Argument('<state>', 'the new state').choices(['pinned', 'off', 'automatic']))
    .addHelpText(
      'after',
      examples('postil rules set ruff/F401 off', 'postil rules set oxlint/no-eval pinned'),
    )
    .action(async (rule: string, state: string, { org, json }: RuleOptions) => {
      const client = await connectRules();
      const path = rulesPath('', { org_id: org });
      const row = await client.send({
        method: 'PUT',
        path,
        json: { rule, state },
        optionNames: ruleOptionNames,
      });
      const stands = (row as { state: string }).state;
      print(json ? JSON.stringify(row, null, 2) : `${rule} is ${stands}`);
    });
}
