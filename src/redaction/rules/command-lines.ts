import type { Scan } from '../find/scan.ts';
import type { Rule } from '../rule.ts';
import { startsToken } from '../token-rule.ts';
import { isReference } from '../values/reference-value.ts';
import { looksRandom } from '../values/value-shape.ts';

/** The maximum length of a command. It may continue over several lines, and ends where the next one of the same name starts. */
const COMMAND_LENGTH = 400;

interface CommandOption {
  readonly commands: readonly string[];
  /** Matches the option; the named group `secret` is its value. */
  readonly pattern: RegExp;
  /** A line break ends the command unless it is escaped, because the next line may have a `-p` of its own. */
  readonly isOneLine?: boolean;
  /** Checks the value of options that often have plain words, as in tests. */
  readonly isLikely?: (secret: string) => boolean;
}

/** Matches a string or bytes literal that is a whole argument. */
const ARGUMENT = String.raw`b?(?<secret>"[^"\n]{8,200}"|'[^'\n]{8,200}')\s{0,20}[,)]`;
const isRandom = (secret: string) => looksRandom(secret, 12);

const OPTIONS: readonly CommandOption[] = [
  {
    commands: ['curl', 'wget', 'httpie'],
    pattern:
      /[ \t\n](?:-u|--user|-U|--proxy-user|-a|--auth)(?:=|[ \t]{0,5})(?:["']?[^\s:"'{}<]{0,100}["']?:(?!\/\/)(?<secret>"[^"\n]{3,200}"|'[^'\n]{3,200}'|[^\s"']{3,200})|(?<quote>["'])(?<alone>[^\s:"']{3,200}):["'])/d,
  },
  {
    commands: ['mysql', 'mysqldump', 'mysqladmin', 'mariadb'],
    pattern: /[ \t]-p(?<secret>[^\s"'$<-][^\s"']{3,100}|"[^"\n]{4,100}"|'[^'\n]{4,100}')/d,
  },
  {
    commands: [
      'psexec',
      'sshpass',
      'docker login',
      'podman login',
      'helm registry login',
      'az login',
      'smbclient',
      'mongosh',
      'xfreerdp',
    ],
    isOneLine: true,
    pattern:
      /[ \t](?:-p|-a|\/p:|--password)(?:=|[ \t]{0,3})(?<secret>[^\s"'$%<-][^\s"']{3,100}|"[^"\s]{4,100}"|'[^'\s]{4,100}')/d,
  },
  {
    // Separate from the others, because its `-p` is the port.
    commands: ['redis-cli'],
    isOneLine: true,
    pattern:
      /[ \t](?:-a|--pass)[ \t]{1,3}(?<secret>[^\s"'$%<-][^\s"']{3,100}|"[^"\s]{4,100}"|'[^'\s]{4,100}')/d,
  },
  {
    commands: ['convertto-securestring'],
    pattern:
      /^[ \t]{1,3}(?:-(?:AsPlainText|Force|String)[ \t]{1,3}){0,3}(?<secret>"[^"\n]{3,200}"|'[^'\n]{3,200}'|[^\s"'$()-][^\s"'()]{2,200}(?=[ \t]{1,3}-(?:AsPlainText|Force)))/di,
  },
  {
    commands: ['directoryentry'],
    pattern:
      /^[ \t]{0,3}\([ \t]{0,5}["'][^"'\n]{1,200}["'][ \t]{0,3},\s{0,40}["'][^"'\n]{1,100}["'][ \t]{0,3},\s{0,40}["'](?<secret>[^"'\n]{3,100})["']/d,
  },
  {
    commands: ['login_with_api_key'],
    pattern: /^["'][^[\]{}]{0,60}\[\s{0,40}["'](?<secret>[0-9]{1,6}-[A-Za-z0-9]{64})["']/d,
  },
  {
    commands: ['connect-viserver'],
    pattern: /[ \t]-password[ \t]{1,3}(?<secret>[^\s"'$]{3,100}|"[^"$\n]{3,100}")/di,
  },
  {
    commands: [
      'networkcredential',
      'usernamepasswordcredentials',
      'usernamepassword',
      'basicauth',
      'httpbasicauth',
    ],
    pattern:
      /^[ \t]{0,3}\([ \t\n]{0,40}["'][^"'\n]{1,100}["'][ \t]{0,3},\s{0,20}["'](?<secret>[^"'\n]{3,100})["']/d,
  },
  {
    commands: ['hmac.new', 'aes.new', 'fernet'],
    pattern: new RegExp(`^\\(\\s{0,40}${ARGUMENT}`, 'd'),
    isLikely: isRandom,
  },
  {
    commands: [
      'createhmac',
      'createcipheriv',
      'createdecipheriv',
      'jwt.sign',
      'jwt.encode',
      'jwt.decode',
      'jwt.verify',
    ],
    pattern: new RegExp(`^\\((?:[^;()\\n]|\\([^;()\\n]{0,80}\\)){1,200}?,\\s{0,40}${ARGUMENT}`, 'd'),
    isLikely: isRandom,
  },
];

const optionRules: readonly Rule[] = OPTIONS.map((option) => ({
  id: `command-${option.commands[0]}`,
  keywords: option.commands,
  find(scan, start, end) {
    const { text } = scan;
    if (!startsToken(text, start)) return;
    const command = commandFrom(text, end, option);
    let next = command.indexOf(text.slice(start, end));
    while (next !== -1 && !startsToken(command, next))
      next = command.indexOf(text.slice(start, end), next + 1);
    reportOption(option, next === -1 ? command : command.slice(0, next), end, scan);
  },
}));

function commandFrom(text: string, from: number, { isOneLine }: CommandOption): string {
  const command = text.slice(from, from + COMMAND_LENGTH);
  const end = isOneLine ? command.search(/(?<![\\`^])\r?\n/) : -1;
  return end === -1 ? command : command.slice(0, end);
}

/** PowerShell may pass the password through a pipe: `'x' | ConvertTo-SecureString`. */
const pipedPassword: Rule = {
  id: 'piped-password',
  keywords: ['| convertto-securestring', '|convertto-securestring'],
  find(scan, start) {
    const before = scan.text.slice(Math.max(0, start - 200), start).trimEnd();
    const quote = before.at(-1) ?? '';
    const open = /["']/.test(quote) ? before.lastIndexOf(quote, before.length - 2) : -1;
    const secret = before.slice(open + 1, -1);
    if (open === -1 || secret.length < 3 || /\n/.test(secret) || isReference(secret)) return;
    const from = Math.max(0, start - 200) + open + 1;
    scan.report(from, from + secret.length);
  },
};

/** Rules that know which option of a command, or which argument of a call, is a password. */
export const commandLineRules: readonly Rule[] = [...optionRules, pipedPassword];

function reportOption(
  { pattern, isLikely }: CommandOption,
  command: string,
  offset: number,
  scan: Scan,
): void {
  const found = pattern.exec(command);
  const place = found?.indices?.groups?.secret ?? found?.indices?.groups?.alone;
  if (!place) return;
  const isQuoted = /["']/.test(command[place[0]] as string);
  const from = isQuoted ? place[0] + 1 : place[0];
  const to = isQuoted ? place[1] - 1 : place[1];
  const secret = command.slice(from, to);
  if (isLikely?.(secret) === false) return;
  // `--user name:` has no password, but the name may be a key.
  if (found?.groups?.alone !== undefined && !looksRandom(secret)) return;
  if (isReference(secret) || /^(?:yyy|pw|pass|[*]+)$/.test(secret)) return;
  scan.report(offset + from, offset + to);
}
