import assert from 'node:assert/strict';

const anything = '…';

function patternOf(text: string, any: string): string {
  return text
    .split(anything)
    .map((part) => RegExp.escape(part))
    .join(any);
}

/**
 * The differences between a shown and an actual JSON value; `…` in a text, as a field or at the end of a list matches anything.
 */
function differences(shown: unknown, actual: unknown, at = 'answer'): string[] {
  const differs = () => [`${at}: shown ${JSON.stringify(shown)}, is ${JSON.stringify(actual)}`];
  if (typeof shown === 'string' && shown.includes(anything)) {
    const text = typeof actual === 'string' ? actual : JSON.stringify(actual);
    return new RegExp(`^${patternOf(shown, '[\\s\\S]*')}$`).test(text) ? [] : differs();
  }
  if (Array.isArray(shown)) {
    if (!Array.isArray(actual)) return differs();
    const isOpen = shown.at(-1) === anything;
    const elements = isOpen ? shown.slice(0, -1) : shown;
    if (isOpen ? actual.length < elements.length : actual.length !== elements.length) return differs();
    return elements.flatMap((element, index) => differences(element, actual[index], `${at}[${index}]`));
  }
  if (typeof shown === 'object' && shown !== null) {
    if (typeof actual !== 'object' || actual === null || Array.isArray(actual)) return differs();
    const fields = Object.entries(shown).filter(([name]) => name !== anything);
    const unseen = anything in shown ? [] : Object.keys(actual).filter((name) => !(name in shown));
    return [
      ...unseen.map((name) => `${at}.${name}: is not shown`),
      ...fields.flatMap(([name, value]) =>
        differences(value, (actual as Record<string, unknown>)[name], `${at}.${name}`),
      ),
    ];
  }
  return Object.is(shown, actual) ? [] : differs();
}

function readShownJson(text: string): unknown {
  // A number may be truncated, as in 0.26…; it is quoted, so that it is compared as a text.
  return JSON.parse(text.replaceAll(/(?<=[:,[]\s*)-?\d[\d.]*…/g, (number) => `"${number}"`));
}

const withoutTrailingSpace = (text: string) => text.replaceAll(/[ \t\r]+$/gm, '').trimEnd();

/** Fails unless the output matches the one shown in a guide. */
export function assertShown(language: string, shown: string, output: string): void {
  if (language === 'json') {
    assert.deepEqual(differences(readShownJson(shown), JSON.parse(output)), [], output);
    return;
  }
  const lines = withoutTrailingSpace(shown).split('\n');
  const pattern = lines
    .map((line) => (line === anything ? '(?:.*\\n)*?' : `${patternOf(line, '.*')}\\n`))
    .join('');
  const actual = withoutTrailingSpace(output);
  if (!new RegExp(`^${pattern}$`).test(`${actual}\n`)) assert.equal(actual, lines.join('\n'));
}
