/** Names of values that are secret, rather than about secrets: `PASSWORD_FILE` is a path. */
const secretName =
  /(?:^|_)(?:PASSWORD|PASSWD|SECRET|SECRET_KEY|SECRET_KEY_BASE|TOKEN|API_?KEY|PRIVATE_KEY|ACCESS_KEY|AUTH_KEY|CREDENTIALS?)$/i;
const aboutSecrets = /(?:^|_)(?:PUBLIC|MAX|NUM|COUNT|LENGTH|TTL|TYPE|NAME)_/i;
/** What stands there until somebody fills it in, or so that a build does not ask. */
const placeholder =
  /dummy|place-?holder|change-?me|change_?this|example|sample|fake|mock|test|todo|replace|your[-_]|insert|unused|not[-_ ]?(?:a|used|real|needed|secret)|build[-_ ]?time|^x+$|^\*+$|^<.*>$|^(?:true|false|yes|no|on|off|none|null|undefined|required|optional|default|secret|password|token)$/i;

export function isSecretName(name: string): boolean {
  return secretName.test(name) && !aboutSecrets.test(name);
}

/** Whether a value is written out: neither filled in elsewhere, a path, an address, nor a placeholder. */
export function isSecretValue(value: string): boolean {
  return value.length >= 6 && !/[$\s]|^[./~]|:\/\//.test(value) && !placeholder.test(value);
}
