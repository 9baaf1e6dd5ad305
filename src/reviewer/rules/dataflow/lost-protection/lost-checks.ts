import { bare, type CodeLine, type Edit, indentOf, isFunctionRemoved, linesAfter } from './edits.ts';
import type { LostProtection } from './lost-protection.ts';

/** Checks that are recognized by what they look for, with the code that is dangerous without them. */
const checks: readonly {
  readonly mark: RegExp;
  /** The source of a regular expression; `NAME` stands for the checked variable. */
  readonly danger: string;
  readonly refused: string;
  readonly cwe: `CWE-${number}`;
}[] = [
  {
    mark: /__proto__|['"](?:constructor|prototype)['"]/,
    danger: '\\[[^\\]\'"`]*\\bNAME\\b[^\\]\'"`]*\\]\\s*(?:\\|\\||\\?\\?)?=(?!=)',
    refused: 'names that allow prototype pollution',
    cwe: 'CWE-1321',
  },
  {
    mark: /['"`/](?:[\\/]?\.\.[\\/]?)['"`]|\\\.\\\.|path-?_?is-?_?inside|is_?path_?inside|is_?sub_?path|is_relative_to|commonpath|\bIsLocal\b|travers|(?:\.startsWith|\.startswith|HasPrefix)\((?!\s*['"`])|\.indexOf\([\w$.]+\)\s*(?:!==?|<|>|===?)\s*0/i,
    danger:
      '\\b(?:\\w*(?:read|write|open|stat|exists|send|serve|unlink|mkdir|extract|rename|symlink|copy)\\w*|join|resolve|File)\\s*\\([^)]*\\bNAME\\b',
    refused: 'paths that lead out of a directory',
    cwe: 'CWE-22',
  },
  {
    mark: /['"`](?:javascript|vbscript)\b/i,
    danger: '\\bNAME\\b',
    refused: 'URLs that run scripts',
    cwe: 'CWE-79',
  },
  {
    mark: /\b_?is_?(?:safe|valid|allowed|trusted|permitted|equal|private|loopback|same)\w*\s*\(|(?:white|allow|black|deny)_?list/i,
    danger:
      '(?:\\blocation(?:\\.href)?|(?:inner|outer)HTML)\\s*=[^=].*\\bNAME\\b|\\b(?:exec\\w*|spawn\\w*|eval|redirect|fetch|request|connect|importScripts|createReadStream|readFile\\w*|sendFile)\\s*\\([^)]*\\bNAME\\b',
    refused: 'values that are not allowed',
    cwe: 'CWE-20',
  },
];
/** How many removed lines, from the check on, may contain the statement that leaves. */
const maxLeaving = 8;
/** A check that refuses something leaves the block. */
const isLeaving = /\b(?:return|throw|continue|break|raise|panic|reject|abort|exit)\b/;
const isCondition = /\b(?:if|elif|while|unless)\b|&&|\|\||\?|\b(?:and|or|not)\b/;
const word = /(?<![\w$'"`.])[A-Za-z_$][\w$]*(?![\w$'"`(]|\.(?:resolve|join|normalize|relative|sep)\b)/g;
const noSubject =
  /^(?:if|else|elif|while|return|continue|break|throw|typeof|null|undefined|true|false|and|or|not|in|is|None|nil|this|self|const|let|var|throw|new|err|error|len)$/;

/** A check that refused something is removed, or no longer looks for it, and the checked variable is still used. */
export function lostChecks(
  { removed, added, next }: Edit,
  lines: readonly string[],
  allAdded: string,
): LostProtection[] {
  for (const [index, { text }] of removed.entries()) {
    const check = isCondition.test(text) ? checks.find(({ mark }) => mark.test(text)) : undefined;
    if (check === undefined || check.mark.test(allAdded) || isFunctionRemoved(removed, index)) continue;
    const isRefusal = removed.slice(index, index + maxLeaving).some((line) => isLeaving.test(line.text));
    if (!isRefusal && !added.some((line) => isCondition.test(line.text))) continue;
    const indent = Math.min(...removed.slice(0, index + 1).map((line) => indentOf(line.text)));
    const after = linesAfter(lines, added[0]?.number ?? next, indent);
    for (const name of subjectsOf(text, removed)) {
      const danger = new RegExp(check.danger.replaceAll('NAME', RegExp.escape(name)), 'i');
      const places = after.filter((line) => danger.test(line.text)).map((line) => line.number);
      if (places.length === 0) continue;
      return [
        {
          rule: 'check-removed',
          startLine: places[0]!,
          endLine: check.cwe === 'CWE-1321' ? lastOf(places) : places[0]!,
          message: `Until now, \`${name}\` was checked for ${check.refused}`,
          movedBy: check.mark,
          cwe: check.cwe,
        },
      ];
    }
  }
  return [];
}

const namesIn = (text: string) =>
  [...text.matchAll(word)].map(([name]) => name).filter((name) => !noSubject.test(name));

/** The variables in a condition, and those that they were made from in removed lines. */
function subjectsOf(condition: string, removed: readonly CodeLine[]): ReadonlySet<string> {
  const names = namesIn(condition);
  const made = names.flatMap((name) =>
    removed.flatMap(({ text }) => {
      const value = new RegExp(`\\b${RegExp.escape(name)}\\s*:?=(?!=)(.*)$`).exec(text)?.[1];
      return value === undefined ? [] : namesIn(value);
    }),
  );
  return new Set([...names, ...made]);
}

/** The longest range of lines that one finding is about. */
const maxRange = 20;
const lastOf = (places: readonly number[]) =>
  places.findLast((place) => place - places[0]! < maxRange) ?? places[0]!;

const lists = [
  { names: /(?<=['"`])(?:javascript|vbscript|data|file)(?=:?['"`])/g, sure: /script/, refused: checks[2]! },
  {
    names: /(?<=['"`])(?:__proto__|constructor|prototype)(?=['"`])/g,
    sure: /__proto__/,
    refused: checks[0]!,
  },
];

/** A list of refused names has become shorter. */
export function shorterLists({ removed, added }: Edit): LostProtection[] {
  return lists.flatMap(({ names, sure, refused: { refused, cwe } }): LostProtection[] => {
    const before = removed.flatMap(({ text }) => text.match(names) ?? []);
    const now = added.flatMap(({ text }) => text.match(names) ?? []);
    const gone = new Set(before).difference(new Set(now));
    const place = added.find(({ text }) => now.some((name) => text.includes(name)));
    const isOne = now.some((name) => sure.test(name)) && now.every((name) => before.includes(name));
    if (gone.size === 0 || place === undefined || !isOne) return [];
    return [
      {
        rule: 'check-removed',
        startLine: place.number,
        endLine: place.number,
        message: `${[...gone].map((name) => `\`${name}\``).join(', ')} ${gone.size === 1 ? 'is' : 'are'} no longer among the rejected ${refused}`,
        movedBy: new RegExp([...gone].map((name) => `['"\`]${name}:?['"\`]`).join('|')),
        cwe,
      },
    ];
  });
}

const routeCall = /\.(?:get|post|put|patch|delete|all|use|route)\(/;
const step =
  /,\s*((?:[\w$]+\.)*[\w$]*(?:csrf|xsrf|auth|login|permission|admin|protect|verif|ensure|require)[\w$]*(?:\([^()]*\))?)(?=\s*[,)])/gi;
const decorator =
  /^\s*@((?:\w+\.)*(?:login_required|permission_required|csrf_protect|jwt_required|user_passes_test|staff_member_required|admin_required|requires?_auth\w*|auth_required))\b/;

/** A middleware or decorator that checked requests before their handler is removed. */
export function lostSteps({ removed, added, next }: Edit, allAdded: string): LostProtection[] {
  const lost = (name: string, line: number): LostProtection => ({
    rule: 'check-removed',
    startLine: line,
    endLine: line,
    message: `Until now, requests had to pass \`${name}\``,
    movedBy: new RegExp(`\\b${RegExp.escape(name.replace(/\(.*$/s, '').replace(/^.*\./, ''))}\\b`),
    cwe: 'CWE-862',
  });
  for (const { text } of removed) {
    if (routeCall.test(text))
      for (const match of text.matchAll(step)) {
        const without = bare(text.replace(match[0], ''));
        const place = added.find((line) => bare(line.text) === without);
        const found = place && lost(match[1]!, place.number);
        if (found !== undefined && !found.movedBy.test(allAdded)) return [found];
      }
    const name = added.length === 0 ? decorator.exec(text)?.[1] : undefined;
    const isAlone = removed.every((line) => /^\s*@/.test(line.text));
    const found = name === undefined || !isAlone ? undefined : lost(name, next);
    if (found !== undefined && !/login|auth|permission|csrf/i.test(allAdded)) return [found];
  }
  return [];
}
