import { assignmentRule } from './assignment-rule.ts';
import type { Rule } from './rule.ts';
import { aiRules } from './rules/ai.ts';
import { authorizationRules } from './rules/authorization.ts';
import { cloudRules } from './rules/cloud.ts';
import { commandLineRules } from './rules/command-lines.ts';
import { encodedSecretRules } from './rules/encoded-secrets.ts';
import { labelledSecretRules } from './rules/labelled-secrets.ts';
import { messagingRules } from './rules/messaging.ts';
import { operationsRules } from './rules/operations.ts';
import { ownKeyRules } from './rules/own-key.ts';
import { paymentRules } from './rules/payment.ts';
import { serviceKeyRule } from './rules/service-names.ts';
import { sourceControlRules } from './rules/source-control.ts';
import { taggedSecretRules } from './rules/tagged-secrets.ts';
import { urlRules } from './rules/urls.ts';
import { vendorNameRules } from './rules/vendor-names.ts';

/** All rules; their order does not matter, because their findings are merged. */
export const allRules: readonly Rule[] = [
  ...ownKeyRules,
  ...encodedSecretRules,
  ...urlRules,
  ...taggedSecretRules,
  ...authorizationRules,
  ...commandLineRules,
  ...sourceControlRules,
  ...cloudRules,
  ...aiRules,
  ...paymentRules,
  ...messagingRules,
  ...operationsRules,
  ...vendorNameRules,
  serviceKeyRule,
  ...labelledSecretRules,
  assignmentRule,
];
