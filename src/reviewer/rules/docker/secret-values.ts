/** Names of secret values, but not of values about secrets: `PASSWORD_FILE` is a path. */
const secretName =
  /(?:^|_)(?:PASSWORD|PASSWD|SECRET|SECRET_KEY|SECRET_KEY_BASE|TOKEN|API_?KEY|PRIVATE_KEY|ACCESS_KEY|AUTH_KEY|CREDENTIALS?)$/i;
const aboutSecrets = /(?:^|_)(?:PUBLIC|MAX|NUM|COUNT|LENGTH|TTL|TYPE|NAME)_/i;
/** Placeholders that are to be replaced, or that only satisfy a build. */
const placeholder =
  /dummy|place-?holder|change-?me|change_?this|example|sample|fake|mock|test|todo|replace|your[-_]|insert|unused|not[-_ ]?(?:a|used|real|needed|secret)|build[-_ ]?time|^x+$|^\*+$|^<.*>$|^(?:true|false|yes|no|on|off|none|null|undefined|required|optional|default|secret|password|token)$/i;

export function isSecretName(name: string): boolean {
  return secretName.test(name) && !aboutSecrets.test(name);
}

/** Whether a value is a literal secret: no variable, path, URL or placeholder. */
export function isSecretValue(value: string): boolean {
  return value.length >= 6 && !/[$\s]|^[./~]|:\/\//.test(value) && !placeholder.test(value);
}
