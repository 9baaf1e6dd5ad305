/** Reasons why nothing is committed. */
export const fixRefusals = {
  notReviewed: 'The newest commit has not been reviewed yet.',
  ended: (state: string) => `The pull request is ${state}.`,
  fork: 'The branch is in a fork, where nothing is committed.',
  moved: 'The branch has moved since it was reviewed.',
  mayNotPush: 'You may not push to this repository.',
  unknownRights:
    'The host does not say whether you may push to this repository. The account needs admin rights in it to see that.',
  protected: 'The branch is protected, where nothing is committed.',
  unknownProtection: 'The host does not say whether the branch is protected.',
  nothing: 'There is nothing that can be fixed safely.',
  tooMuch: 'The files take too long, or too much memory, to be fixed.',
  denied: 'The host does not let the account push to this repository.',
  declined: 'The host does not take commits of the account on this branch.',
  off: 'Reviews of this repository are turned off.',
  away: 'The host could not be reached.',
} as const;
