import { Alert, Button, List, NumberInput, Paper, Stack, Switch, TagsInput, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useAction } from '../../components/action.ts';
import { api } from '../../lib/api.ts';
import type { View } from '../../lib/session.ts';
import { placeFault, readYaml, toYaml } from './defaults-yaml.ts';
import type { ReviewSettings } from './wire.ts';

/** Joins several texts with rules into one. */
function joinRules(texts: readonly string[]): string {
  return texts.map((text) => (text.endsWith('\n') ? text : `${text}\n`)).join('---\n');
}

/** Defaults, budget, other reviewers and own rules. Errors from the server are shown with their place. */
export function SettingsForm({ view, settings }: { view: View; settings: ReviewSettings }) {
  const [defaults, setDefaults] = useState(toYaml(settings.defaults));
  const [budget, setBudget] = useState<number | string>(settings.budget_usd_per_month ?? '');
  const [others, setOthers] = useState(settings.other_reviewers);
  const [rules, setRules] = useState(joinRules(settings.ast_grep_rules));
  const [isForForks, setIsForForks] = useState(settings.allow_mcp_for_forks);
  const [faults, setFaults] = useState<readonly string[]>([]);
  const save = useAction((body: unknown) => api('PUT', 'settings/reviews', { scope: view, body }), {
    invalidates: [['review-settings', view.id]],
    done: 'Review settings saved',
    showsErrorItself: true,
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    const read = readYaml(defaults);
    if ('faults' in read) return setFaults(read.faults.map((fault) => `Defaults: ${fault}`));
    setFaults([]);
    save.mutate(
      {
        other_reviewers: others,
        budget_usd_per_month: budget === '' ? null : Number(budget),
        ast_grep_rules: rules.trim() === '' ? [] : [rules],
        allow_mcp_for_forks: isForForks,
        defaults: read.value,
        // Edited on the page about checks, and sent unchanged: the server resets settings that are left out.
        enforced_checks: settings.enforced_checks,
      },
      {
        onError: (error) =>
          setFaults(
            error.message
              .split('; ')
              .map((fault) => placeFault(fault, defaults).replace(/^ast_grep_rules\[0\]/, 'Custom rules')),
          ),
      },
    );
  }
  return (
    <Paper withBorder p="lg" component="form" onSubmit={submit}>
      <Stack maw={720}>
        <Textarea
          label="Defaults"
          description="In the format of .postil.yaml. A repository's own file overrides them."
          placeholder={'reviews:\n  fail_on: major\n  path_filters: ["!dist/**"]\n'}
          autosize
          minRows={4}
          maxRows={20}
          spellCheck={false}
          styles={{ input: { fontFamily: 'monospace' } }}
          value={defaults}
          onChange={(event) => setDefaults(event.currentTarget.value)}
        />
        <NumberInput
          label="Monthly model budget in US$"
          description="When it is used up, reviews continue with rules only and say so. Empty: no limit."
          min={0}
          max={1_000_000}
          decimalScale={2}
          prefix="$"
          maw={320}
          value={budget}
          onChange={setBudget}
        />
        <TagsInput
          label="Other reviewers"
          description="User names of other review bots. The outcomes of their comments are tracked as well."
          value={[...others]}
          onChange={setOthers}
          maxTags={100}
        />
        <Textarea
          label="Custom rules"
          description="ast-grep rules in YAML, separated by ---. They apply to every repository."
          placeholder={
            'id: no-console\nlanguage: ts\nrule:\n  pattern: console.log($$$A)\nmessage: Use the logger.\n'
          }
          autosize
          minRows={5}
          maxRows={30}
          spellCheck={false}
          styles={{ input: { fontFamily: 'monospace' } }}
          value={rules}
          onChange={(event) => setRules(event.currentTarget.value)}
        />
        <Switch
          label="MCP tools for pull requests from forks"
          description="Lets the model call MCP tools when it reviews pull requests from forks. Outsiders could trick it into calling tools as they like."
          checked={isForForks}
          onChange={(event) => setIsForForks(event.currentTarget.checked)}
        />
        {faults.length > 0 && (
          <Alert color="red" variant="outline" title="Nothing was saved" role="alert">
            <List size="sm">
              {faults.map((fault) => (
                <List.Item key={fault} style={{ wordBreak: 'break-word' }}>
                  {fault}
                </List.Item>
              ))}
            </List>
          </Alert>
        )}
        <Button type="submit" style={{ alignSelf: 'flex-start' }} loading={save.isPending}>
          Save
        </Button>
      </Stack>
    </Paper>
  );
}
