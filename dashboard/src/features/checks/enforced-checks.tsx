import { Button, Code, Paper, Stack, Text, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useAction } from '../../components/action.ts';
import { QueryState } from '../../components/query-state.tsx';
import { api } from '../../lib/api.ts';
import type { View } from '../../lib/session.ts';
import { placeFault, readYaml, toYaml } from '../review-settings/defaults-yaml.ts';
import type { ReviewSettings } from '../review-settings/wire.ts';

/** The checks that apply in every repository, for admins. Errors from the server are shown with their line. */
export function EnforcedChecks({ view }: { view: View }) {
  const query = useQuery({
    queryKey: ['review-settings', view.id],
    queryFn: () => api<ReviewSettings>('GET', 'settings/reviews', { scope: view }),
  });
  return (
    <QueryState query={query}>
      {(settings) => <EnforcedForm key={JSON.stringify(settings)} view={view} settings={settings} />}
    </QueryState>
  );
}

const example = 'title: { pattern: "^(feat|fix): .+", mode: error }\nsize: { max_lines: 800 }\n';

function EnforcedForm({ view, settings }: { view: View; settings: ReviewSettings }) {
  const [text, setText] = useState(toYaml(settings.enforced_checks));
  const [faults, setFaults] = useState<readonly string[]>([]);
  const save = useAction(
    (enforced: unknown) =>
      api('PUT', 'settings/reviews', { scope: view, body: { ...settings, enforced_checks: enforced } }),
    {
      invalidates: [
        ['review-settings', view.id],
        ['repository-checks', view.id],
      ],
      done: 'Enforced checks saved',
      showsErrorItself: true,
    },
  );
  function submit(event: FormEvent) {
    event.preventDefault();
    const read = readYaml(text);
    if ('faults' in read) return setFaults(read.faults);
    setFaults([]);
    save.mutate(read.value, {
      onError: (error) =>
        setFaults(error.message.split('; ').map((fault) => placeFault(fault, text, 'enforced_checks'))),
    });
  }
  return (
    <Paper withBorder p="lg" component="form" onSubmit={submit}>
      <Stack maw={720}>
        <Text>
          These checks apply to every repository of {view.name}. A repository can be stricter in its{' '}
          <Code>.postil.yaml</Code>, but not weaker. Changes are recorded in the audit log. They take effect
          for a pull request with its next event, or within about 15 minutes.
        </Text>
        <Textarea
          label="Enforced checks"
          description="In the format of checks in .postil.yaml"
          placeholder={example}
          autosize
          minRows={8}
          maxRows={30}
          spellCheck={false}
          styles={{ input: { fontFamily: 'monospace' } }}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          error={faults.length > 0 && <Faults faults={faults} />}
        />
        <Button type="submit" style={{ alignSelf: 'flex-start' }} loading={save.isPending}>
          Save
        </Button>
      </Stack>
    </Paper>
  );
}

function Faults({ faults }: { faults: readonly string[] }) {
  return (
    <span role="alert" style={{ overflowWrap: 'anywhere' }}>
      Nothing was saved:{' '}
      {faults.map((fault) => (
        <span key={fault} style={{ display: 'block' }}>
          {fault}
        </span>
      ))}
    </span>
  );
}
