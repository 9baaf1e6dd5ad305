import type { SourceText } from '../../rule-source.ts';
import { forEachKey } from '../dependencies/readers/json-keys.ts';
import type { TextFault } from './text-fault.ts';

/** Signs of a template, which is no JSON until it is filled in. */
const template = /\{\{|\{%|<%|\$\{[A-Za-z]/;
// An unclosed string or comment matches up to the end of its line or of the file. Otherwise, every beginning in a large file
// would be searched up to there, in quadratic time.
const string = String.raw`"(?:\\.|[^"\\\n])*"?`;
const commentOrString = new RegExp(String.raw`(${string})|//[^\n]*|/\*(?:[\s\S]*?\*/|[\s\S]*)`, 'g');
const trailingCommaOrString = new RegExp(String.raw`(${string})|,(?=\s*[}\]])`, 'g');

/** Why a file is not valid JSON. Comments and trailing commas are accepted, as many programs do, except in `package.json`. */
export function faultInJson({ path, text }: SourceText): TextFault | undefined {
  if (!/\.json$/i.test(path) || text.trim() === '') return undefined;
  const exact = text.replace(/^\uFEFF/, '');
  const fault = faultOf(exact);
  if (fault === undefined) return undefined;
  if (/(?:^|\/)package\.json$/.test(path) && !template.test(text)) return fault;
  const lenient = faultOf(withoutExtras(exact));
  return lenient === undefined || template.test(text) || isLineByLine(exact) ? undefined : lenient;
}

/** Keys for comments, which may be repeated. */
const forNotes = /^(?:\/\/|#|[_$]?comment)/i;

/** Finds the first duplicate key of an object in a valid file: all but one of its values are lost. */
export function repeatedKeyInJson({ path, text }: SourceText): TextFault | undefined {
  if (!/\.json$/i.test(path)) return undefined;
  const plain = withoutExtras(text.replace(/^\uFEFF/, ''));
  if (faultOf(plain) !== undefined) return undefined;
  const known = new Map<string, number>();
  let found: TextFault | undefined;
  forEachKey(plain, (keys, line) => {
    if (found !== undefined) return;
    const place = JSON.stringify(keys);
    const first = known.get(place);
    const key = String(keys.at(-1));
    if (first === undefined) known.set(place, line);
    else if (!forNotes.test(key))
      found = { line, message: `\`${key.slice(0, 100)}\` is already defined on line ${first}` };
  });
  return found;
}

/** Blanks comments and trailing commas; all other characters keep their positions. */
function withoutExtras(text: string): string {
  const blank = (part: string, kept?: string) => kept ?? part.replaceAll(/[^\n]/g, ' ');
  return text.replaceAll(commentOrString, blank).replaceAll(trailingCommaOrString, blank);
}

function isLineByLine(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.length > 1 && lines.every((line) => faultOf(line) === undefined);
}

function faultOf(text: string): TextFault | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const said = (error as Error).message;
    const end = text.trimEnd().length;
    const position = Math.min(Number(/at position (\d+)/.exec(said)?.[1] ?? end), end);
    const line = text.slice(0, position).split('\n').length;
    return {
      line,
      message: said.replace(
        /,? ?(?:"[\s\S]*"\.{0,3} is not valid JSON|(?:in JSON )?at position[\s\S]*)$/,
        '',
      ),
    };
  }
}
