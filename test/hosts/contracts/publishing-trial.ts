import type { Host, HostCredentials } from '../../../src/capabilities/connections/hosts/host.ts';
import { hostKind } from '../../../src/capabilities/connections/hosts/host-providers.ts';
import type { HostStatus } from '../../../src/capabilities/connections/hosts/review-host.ts';
import { placeComments } from '../../../src/capabilities/reviews/publishing/place-comments-part.ts';
import type { PublishRequest } from '../../../src/capabilities/reviews/publishing/publish-run.ts';
import { anyAddress } from '../../../src/outbound/address-guard.ts';
import { createOutbound } from '../../../src/outbound/outbound.ts';
import { changeOfDiff } from '../../../src/reviewer/change/change-of-diff.ts';
import { filesByPath } from '../../../src/reviewer/change/change-source.ts';
import type { ForgePull, ForgeUser } from '../forge/forge-data.ts';
import type { fillForge } from '../forge/sample-forge.ts';
import type { HostDouble } from '../host-double.ts';
import { nothingFound, sampleDiff, sampleFiles } from './sample-findings.ts';

export interface PublishingHost {
  readonly name: string;
  readonly provider: 'github' | 'gitlab' | 'gitea';
  readonly double: HostDouble;
  readonly forge: ReturnType<typeof fillForge>;
  readonly credentials: HostCredentials;
  /** Whether Git may fetch with this token. */
  readonly knowsToken: (token: string) => boolean;
  /** The account that comments appear under. */
  readonly account: () => ForgeUser;
  /** Whether people get one message for all comments. */
  readonly isOneReview: boolean;
  readonly canResolve: boolean;
  /** Whether a comment outside of the diff is refused; Forgejo takes any. */
  readonly checksPlaces: boolean;
  /** The host's name of each state of a status. */
  readonly states: Readonly<Record<HostStatus['state'], string>>;
  readonly suggestion: string;
}

/** Returns functions that publish on a host, and read the result as people see it. */
export function tryPublishing(given: PublishingHost) {
  const { name, provider, double, forge } = given;
  const { state } = double;
  const outbound = createOutbound(anyAddress);
  const connect = (): Promise<Host> =>
    hostKind(provider).connect({ url: double.url, credentials: given.credentials, outbound });
  const host = connect();
  const title = (what: string) => `${name}: ${what}`;

  let lastRun = 0;
  const open = () => {
    const pull = state.open(forge.app, forge.ada);
    pull.diff = sampleDiff;
    return pull;
  };
  const requestFor = (pull: ForgePull, more: Partial<PublishRequest> = {}): PublishRequest => {
    lastRun += 1;
    return {
      run: { id: `run-${lastRun}`, url: 'https://postil.test/reviews/1' },
      provider,
      repository: { id: String(forge.app.id), fullName: 'acme/app' },
      repositoryUrl: `${double.url}/acme/app`,
      number: pull.number,
      baseSha: '0'.repeat(40),
      headSha: pull.commits.at(-1)!.sha,
      placeFindings: (findings) =>
        placeComments(findings, filesByPath(changeOfDiff(sampleDiff, sampleFiles))),
      result: { status: 'succeeded', reason: null, coverage: [], notes: [], report: null, usage: null },
      ...nothingFound,
      ...more,
    };
  };
  const ownThreads = (pull: ForgePull) =>
    state
      .threads(pull)
      .filter(([first]) => first!.user.id === given.account().id && first!.body.includes('postil:finding'));
  const ownComments = (pull: ForgePull) =>
    pull.comments.filter(
      ({ user, body }) => user.id === given.account().id && body.includes('postil:summary'),
    );
  const statusOf = (pull: ForgePull) =>
    forge.app.statuses.findLast(({ sha }) => sha === pull.commits.at(-1)!.sha);
  const places = (pull: ForgePull) =>
    ownThreads(pull).map(([first]) => {
      const { path, side, line } = first!.place;
      return [path, side, line] as const;
    });
  return {
    ...given,
    state,
    connect,
    host,
    title,
    open,
    requestFor,
    ownThreads,
    ownComments,
    statusOf,
    places,
  };
}

export type PublishingTrial = ReturnType<typeof tryPublishing>;
