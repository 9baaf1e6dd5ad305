import { SaxesParser } from 'saxes';
import { CoverageError } from './coverage-report.ts';

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
}

const maxDepth = 100;

/** Parses XML and calls back for each element. A document type is allowed, since reports have one, but not its own entities. */
export function readXml(
  text: string,
  {
    onOpen,
    onClose,
    onText,
  }: {
    onOpen(element: XmlElement): void;
    onClose(name: string): void;
    onText?(text: string): void;
  },
): void {
  const parser = new SaxesParser();
  let depth = 0;
  parser.on('error', (error) => {
    throw new CoverageError(`the XML is invalid: ${error.message}`);
  });
  parser.on('doctype', (doctype) => {
    if (doctype.includes('['))
      throw new CoverageError('the XML defines its own entities, which is not allowed');
  });
  parser.on('opentag', ({ name, attributes }) => {
    depth += 1;
    if (depth > maxDepth) throw new CoverageError('the XML is nested too deeply');
    onOpen({ name, attributes });
  });
  parser.on('text', (inner) => onText?.(inner));
  parser.on('closetag', ({ name }) => {
    depth -= 1;
    onClose(name);
  });
  parser.write(text).close();
}
