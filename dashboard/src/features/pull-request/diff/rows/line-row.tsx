import { CodeText } from './code-text.tsx';
import type { DiffLine } from './diff-lines.ts';
import type { Segment } from './highlight.ts';

/** The highlighted pieces of the lines of a file, by the keys of the lines; undefined until they are known. */
export type Colours = ReadonlyMap<string, readonly Segment[]> | undefined;

/** A key that identifies a line of a file. */
export const lineKey = ({ sign, oldLine, newLine }: DiffLine) =>
  sign === '-' ? `-${oldLine}` : String(newLine);

const kinds = {
  '+': { className: 'diff-added', word: 'added' },
  '-': { className: 'diff-removed', word: 'removed' },
  ' ': { className: '', word: '' },
} as const;

function Code({ line, colours }: { line: DiffLine; colours: Colours }) {
  const { word } = kinds[line.sign];
  return (
    <>
      {/* Not visually hidden text: clipping it in every line of every frame would slow down scrolling. */}
      <span className="diff-sign" {...(word !== '' && { role: 'img', 'aria-label': word })}>
        {line.sign}
      </span>
      <code className="diff-code">
        <CodeText text={line.text} segments={colours?.get(lineKey(line))} />
      </code>
    </>
  );
}

/** A line with its numbers in both versions. */
export function LineRow({ line, colours, isHere }: { line: DiffLine; colours: Colours; isHere: boolean }) {
  return (
    <div className={`diff-line diff-unified ${kinds[line.sign].className} ${isHere ? 'diff-here' : ''}`}>
      <span className="diff-number">{line.oldLine}</span>
      <span className="diff-number">{line.newLine}</span>
      <Code line={line} colours={colours} />
    </div>
  );
}

function Half({ line, side, colours }: { line: DiffLine | null; side: 'old' | 'new'; colours: Colours }) {
  if (line === null) return <div className="diff-half diff-absent" />;
  return (
    <div className={`diff-half ${kinds[line.sign].className}`}>
      <span className="diff-number">{side === 'old' ? line.oldLine : line.newLine}</span>
      <Code line={line} colours={colours} />
    </div>
  );
}

/** The old line beside the new one. */
export function PairRow({
  left,
  right,
  colours,
  isHere,
}: {
  left: DiffLine | null;
  right: DiffLine | null;
  colours: Colours;
  isHere: boolean;
}) {
  return (
    <div className={`diff-line ${isHere ? 'diff-here' : ''}`}>
      <Half line={left} side="old" colours={colours} />
      <Half line={right} side="new" colours={colours} />
    </div>
  );
}
