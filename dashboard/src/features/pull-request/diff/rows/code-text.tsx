import { Fragment } from 'react';
import type { Segment } from './highlight.ts';

/** Control and format characters: they are invisible, or change the direction of the text. */
const hidden = /((?![\t\u200D])[\p{Cc}\p{Cf}])/u;

function Visible({ text }: { text: string }) {
  if (!hidden.test(text)) return text;
  return text.split(hidden).map((part, index) =>
    index % 2 === 0 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a line do not move
      <Fragment key={index}>{part}</Fragment>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a line do not move
      <span key={index} className="diff-marked">
        U+{part.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}
      </span>
    ),
  );
}

/** The text of a line of code, highlighted as soon as its segments are known. */
export function CodeText({ text, segments }: { text: string; segments: readonly Segment[] | undefined }) {
  // The carriage return of a Windows line ending is not part of the line.
  if (segments === undefined) return <Visible text={text.replace(/\r$/, '')} />;
  return segments.map(({ text: piece, kind }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a line do not move
    <span key={index} {...(kind !== null && { className: `hl-${kind}` })}>
      <Visible text={piece} />
    </span>
  ));
}
