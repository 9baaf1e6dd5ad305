import { Alert, Button, Progress, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { useAction } from '../../components/action.ts';
import { PageLink } from '../../components/page-link.tsx';
import { PageTitle, QueryState } from '../../components/query-state.tsx';
import { api } from '../../lib/api.ts';
import { formatNumber } from '../../lib/format.ts';
import { firstView, type Session, sessionQuery, useSession } from '../../lib/session.ts';
import { AddConnection } from '../connections/add-connection.tsx';
import { Step, type StepState } from './step.tsx';
import { type FirstSteps, firstStepsQuery } from './wire.ts';

const stateOf = (isDone: boolean, isBefore: boolean): StepState =>
  isDone ? 'done' : isBefore ? 'now' : 'later';

/** Formats a count. The server stops counting at 1,000. */
const upTo = (count: number, one: string, many: string) =>
  count === 1 ? `1 ${one}` : `${count >= 1000 ? 'at least 1,000' : formatNumber(count)} ${many}`;

function LinkButton({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Button variant="default" renderRoot={(props) => <Link {...props} to={to as never} />}>
      {children}
    </Button>
  );
}

function Connect({ steps: { connect }, command }: { steps: FirstSteps; command: string }) {
  const isFailing = connect.error !== null;
  return (
    <Step
      number={1}
      title="Connect a Git host"
      state={isFailing ? 'failing' : stateOf(connect.is_done, true)}
      command={
        isFailing
          ? `${command} connections list`
          : `${command} connections add --provider gitea --url https://git.example.com --token-file token.txt`
      }
      button={connect.is_done ? <LinkButton to="/connections">Connections</LinkButton> : <AddConnection />}
    >
      {isFailing && (
        <Alert
          color="red"
          variant="outline"
          role="alert"
          title={`${connect.host} does not answer as expected`}
        >
          {connect.error}
        </Alert>
      )}
      {!isFailing &&
        (connect.is_done
          ? `Connected to ${connect.host} as ${connect.account}.`
          : 'GitHub, GitLab, Gitea or Forgejo, with a token of a dedicated account. Its organizations, repositories and members are added automatically.')}
    </Step>
  );
}

function HowFar({ text, about, done, total }: { text: string; about: string; done: number; total: number }) {
  const percent = total === 0 ? 0 : Math.round((100 * done) / total);
  return (
    <>
      <Text size="sm" mt="xs">
        {text}
      </Text>
      <Progress.Root mt="xxs">
        <Progress.Section value={percent} aria-label={about} />
      </Progress.Root>
    </>
  );
}

/** The progress of other data that is still being read. */
function Readings({ open, backfill }: FirstSteps['read']) {
  return (
    <>
      {open.done < open.total && (
        <HowFar
          {...open}
          text={`Open pull requests: read from ${formatNumber(open.done)} of ${upTo(open.total, 'repository', 'repositories')}`}
          about="Repositories whose open pull requests were read"
        />
      )}
      {(backfill.is_running || backfill.total > 0) && (
        <HowFar
          {...backfill}
          text={`Earlier pull requests: read ${formatNumber(backfill.done)} of ${formatNumber(backfill.total)}`}
          about="Earlier pull requests that were read"
        />
      )}
    </>
  );
}

function Read({ steps: { connect, read }, command }: { steps: FirstSteps; command: string }) {
  return (
    <Step
      number={2}
      title="Check the data that was read"
      state={stateOf(read.is_done, connect.is_done)}
      command={`${command} connections list`}
      button={<LinkButton to="/connections">Read earlier pull requests</LinkButton>}
    >
      {read.is_done
        ? `${upTo(read.organizations, 'organization', 'organizations')}, ${upTo(read.repositories, 'repository', 'repositories')}, ${upTo(read.members, 'member', 'members')} and ${upTo(read.pull_requests, 'pull request', 'pull requests')} so far. New pull requests are added automatically; a backfill reads earlier ones.`
        : connect.is_done
          ? 'Organizations, repositories and members are being read; this takes seconds to minutes.'
          : 'Organizations, repositories and members are read as soon as a host is connected.'}
      {read.is_done && <Readings {...read} />}
    </Step>
  );
}

function Review({
  steps: { connect, read, review },
  place,
}: {
  steps: FirstSteps;
  place: string | undefined;
}) {
  const account = connect.account ?? 'postil-bot';
  return (
    <Step
      number={3}
      title="Get the first review"
      state={stateOf(review.is_done, read.is_done)}
      command={`@${account} review`}
      button={
        review.newest === null ? (
          place !== undefined && <LinkButton to={`${place}/reviews`}>Reviews</LinkButton>
        ) : (
          <LinkButton to={`/organizations/${review.newest.organization}/reviews/${review.newest.run}`}>
            Open the review
          </LinkButton>
        )
      }
    >
      {review.is_done
        ? 'A pull request was reviewed.'
        : review.running > 0
          ? 'A review is in progress.'
          : 'Open a pull request, or write this as a comment on one that is open:'}
    </Step>
  );
}

function Invite({ steps: { read, invite }, command, place }: StepProps) {
  return (
    <Step
      number={4}
      title="Invite people"
      state={stateOf(invite.is_done, read.is_done)}
      command={`${command} invite EMAIL`}
      button={place !== undefined && <LinkButton to={`${place}/people`}>People</LinkButton>}
    >
      {invite.is_done
        ? `${upTo(invite.signed_in, 'other person has', 'others have')} signed in, ${upTo(invite.invited, 'person has', 'people have')} an unused invitation link.`
        : 'Members of an organization sign in with a link that you send them, or with single sign-on. Create the link on the People page, or with:'}
    </Step>
  );
}

interface StepProps {
  readonly steps: FirstSteps;
  readonly command: string;
  readonly place: string | undefined;
}

function placeOf(session: Session): string | undefined {
  const first = session.organizations[0];
  return first && `/organizations/${first.id}`;
}

function Steps({ steps, session }: { steps: FirstSteps; session: Session }) {
  const props = { steps, command: session.postil_command, place: placeOf(session) };
  return (
    <Stack component="ol" p={0} m={0} style={{ listStyle: 'none' }}>
      <Connect {...props} />
      <Read {...props} />
      <Review {...props} />
      <Invite {...props} />
    </Stack>
  );
}

/** The first steps of an admin of a new installation; each step shows its own progress. */
export default function FirstStepsPage() {
  const session = useSession();
  const client = useQueryClient();
  const query = useQuery(firstStepsQuery);
  const progress = JSON.stringify([query.data?.is_finished, query.data?.read.organizations]);
  // The menu depends on the steps, so the session is loaded again when they progress.
  useEffect(() => {
    if (progress !== '[null,null]') void client.invalidateQueries({ queryKey: sessionQuery.queryKey });
  }, [client, progress]);
  const putAway = useAction(() => api('POST', 'first-steps/put-away'), {
    invalidates: [sessionQuery.queryKey],
    done: 'Hidden. The page stays available at /first-steps',
  });
  return (
    <>
      <PageTitle title="First steps" about="Set up a new installation">
        {session.is_being_set_up && (
          <Button variant="default" loading={putAway.isPending} onClick={() => putAway.mutate(undefined)}>
            Hide this page
          </Button>
        )}
      </PageTitle>
      <QueryState query={query}>
        {(steps) => (
          <Stack>
            {steps.is_finished && (
              <Alert color="teal" variant="outline" title="Everything is set up">
                This page is no longer in the menu.{' '}
                {firstView(session) && (
                  <PageLink to="/" isInText>
                    Go to the start page
                  </PageLink>
                )}
              </Alert>
            )}
            <Steps steps={steps} session={session} />
            {!steps.connect.is_done && (
              <Text c="dimmed">
                Without a connection: describe organizations in <code>platform.yaml</code> and run{' '}
                <code>{session.postil_command} apply platform.yaml</code>.
              </Text>
            )}
          </Stack>
        )}
      </QueryState>
    </>
  );
}
