import type { Command } from 'commander';
import { examples } from '../../command-examples.ts';
import { readPages } from '../../operator-client.ts';
import { print, table } from '../../output.ts';
import { connectRules, percent, type RuleOptions, rulesPath } from './rules-client.ts';

interface Rule {
  readonly rule: string;
  readonly posted: number;
  readonly accepted: number;
  readonly rejected: number;
  readonly unknown: number;
  readonly chance: number | null;
  readonly state: string;
  readonly since: string | null;
}

const isTried = ({ posted, accepted, rejected, state }: Rule) =>
  posted + accepted + rejected > 0 || state !== 'active';

export function addRulesList(rules: Command): Command {
  return rules
    .command('list')
    .description('list rules with the outcomes of their comments')
    .option('--all', 'include rules without any comments')
    .addHelpText('after', examples('postil rules list', 'postil rules list --all --json'))
    .action(async ({ org, all, json }: RuleOptions & { all?: boolean }) => {
      const client = await connectRules();
      const list = await Array.fromAsync(readPages<Rule>(client, rulesPath('', { org_id: org })));
      const shown = all ? list : list.filter(isTried);
      if (json) return print(JSON.stringify(shown, null, 2));
      if (shown.length === 0) return print('No rule has raised a finding yet');
      const rows = shown.map(({ rule, posted, accepted, rejected, unknown, chance, state, since }) => {
        const known = accepted + rejected;
        const share = percent(known === 0 ? null : accepted / known);
        const moment = since === null ? '' : since.slice(0, 10);
        return [
          rule,
          state,
          moment,
          `${posted}`,
          share,
          percent(chance),
          ...[accepted, rejected, unknown].map(String),
        ];
      });
      const headings = [
        'RULE',
        'STATE',
        'SINCE',
        'COMMENTS',
        'ACCEPTANCE',
        'BY CHANCE',
        'ACCEPTED',
        'REJECTED',
        'UNKNOWN',
      ];
      print(table(headings, rows));
    });
}
