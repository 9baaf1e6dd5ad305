import { attentionMutants } from './attention.ts';
import { identityMutants } from './identity.ts';
import { moneyMutants } from './money.ts';
import type { Mutant } from './mutant.ts';
import { notificationMutants } from './notification.ts';
import { outcomeMutants } from './outcomes.ts';
import { rightMutants } from './rights.ts';

/** The faults by the topic of their rules. */
export const mutantGroups: Readonly<Record<string, readonly Mutant[]>> = {
  identity: identityMutants,
  rights: rightMutants,
  money: moneyMutants,
  notification: notificationMutants,
  outcomes: outcomeMutants,
  attention: attentionMutants,
};
