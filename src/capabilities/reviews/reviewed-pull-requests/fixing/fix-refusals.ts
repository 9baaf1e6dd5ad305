/** Reasons why nothing is committed. */
export const fixRefusals = {
  notReviewed: 'The newest commit has not been reviewed yet.',
  ended: (state: string) => `The pull request is ${state}.`,
  fork: 'The branch is in a fork, and nothing is committed to forks.',
  moved: 'The branch has moved since it was reviewed.',
  mayNotPush: 'You may not push to this repository.',
  unknownRights:
    'The host does not say whether you may push to this repository. The account needs admin rights in it to see that.',
  protected: 'The branch is protected, and nothing is committed to protected branches.',
  unknownProtection: 'The host does not say whether the branch is protected.',
  nothing: 'There is nothing that can be fixed safely.',
  tooMuch: 'Fixing the files would take too long, or too much memory.',
  denied: 'The host does not let the account push to this repository.',
  declined: 'The host does not accept commits of the account on this branch.',
  off: 'Reviews of this repository are turned off.',
  away: 'The host could not be reached.',
} as const;
