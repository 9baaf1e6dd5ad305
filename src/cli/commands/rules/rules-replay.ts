import { type Command, InvalidArgumentError } from 'commander';
import { examples } from '../../command-examples.ts';
import { parseCount } from '../../option-values.ts';
import { print, table } from '../../output.ts';
import { connectRules, percent, type RuleOptions, ruleOptionNames, rulesPath } from './rules-client.ts';

interface Tally {
  readonly comments: number;
  readonly accepted: number;
  readonly rejected: number;
  readonly unknown: number;
}

interface Total extends Tally {
  readonly comments_per_pull_request: number;
  readonly acceptance: number | null;
}

interface Replay {
  readonly min_outcomes: number;
  readonly mute_below: number;
  readonly pull_requests: number;
  readonly before: Total;
  readonly after: Total;
  readonly rules: readonly { readonly rule: string; readonly before: Tally; readonly after: Tally }[];
}

function parseShare(text: string): string {
  if (/^(?:0|1|0?\.\d{1,6})$/.test(text)) return text;
  throw new InvalidArgumentError('Use a number from 0 to 1, such as 0.2.');
}

export function addRulesReplay(rules: Command): Command {
  return rules
    .command('replay')
    .description('show which comments would have been posted with other settings')
    .option(
      '--min-outcomes <number>',
      'minimum number of known outcomes (default: as configured)',
      parseCount(1, 100_000),
    )
    .option(
      '--mute-below <share>',
      'acceptance below which a rule is quiet (default: as configured)',
      parseShare,
    )
    .addHelpText(
      'after',
      examples('postil rules replay', 'postil rules replay --min-outcomes 10 --mute-below 0.3'),
    )
    .action(
      async ({
        org,
        json,
        minOutcomes,
        muteBelow,
      }: RuleOptions & Record<'minOutcomes' | 'muteBelow', string>) => {
        const client = await connectRules();
        const path = rulesPath('/replay', { org_id: org, min_outcomes: minOutcomes, mute_below: muteBelow });
        const replay = (await client.send({ method: 'GET', path, optionNames: ruleOptionNames })) as Replay;
        print(json ? JSON.stringify(replay, null, 2) : describe(replay));
      },
    );
}

function describe({ min_outcomes, mute_below, pull_requests, before, after, rules }: Replay): string {
  const line = (name: string, total: Total) => [
    name,
    `${total.comments}`,
    total.comments_per_pull_request.toFixed(2),
    percent(total.acceptance),
    ...[total.accepted, total.rejected, total.unknown].map(String),
  ];
  const totals = table(
    ['', 'COMMENTS', 'PER PULL REQUEST', 'ACCEPTANCE', 'ACCEPTED', 'REJECTED', 'UNKNOWN'],
    [line('before', before), line('after', after)],
  );
  const heading = `${pull_requests} pull requests; rules become quiet after ${min_outcomes} known outcomes, if their acceptance is below ${percent(mute_below)}`;
  if (rules.length === 0) return `${heading}\n\n${totals}\n\nEvery comment would have been posted`;
  const rows = rules.map((each) => [
    each.rule,
    `${each.before.comments}`,
    `${each.after.comments}`,
    `${each.before.accepted - each.after.accepted}`,
  ]);
  const byRule = table(['RULE', 'COMMENTS', 'AFTER', 'ACCEPTED BUT LEFT OUT'], rows);
  return `${heading}\n\n${totals}\n\n${byRule}`;
}
