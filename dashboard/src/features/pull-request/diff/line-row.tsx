import { CodeText } from './code-text.tsx';
import type { DiffLine } from './diff-lines.ts';
import type { Segment } from './highlight.ts';

export type Colours = (line: DiffLine) => readonly Segment[] | undefined;

const kinds = {
  '+': { className: 'diff-added', word: 'added' },
  '-': { className: 'diff-removed', word: 'removed' },
  ' ': { className: '', word: '' },
} as const;

function Code({ line, colours }: { line: DiffLine; colours: Colours }) {
  const { word } = kinds[line.sign];
  return (
    <>
      <span className="diff-sign" aria-hidden="true">
        {line.sign}
      </span>
      <code className="diff-code">
        {word !== '' && <span className="visually-hidden">{word}: </span>}
        <CodeText text={line.text} segments={colours(line)} />
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

/** What was there beside what is there now. */
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
