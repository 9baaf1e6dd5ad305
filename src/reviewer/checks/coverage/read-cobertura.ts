import path from 'node:path';
import { CoverageReport } from './coverage-report.ts';
import { readXml } from './read-xml.ts';

type Line = readonly [number: string | undefined, hits: string | undefined];

/**
 * Parses Cobertura: classes with a file name below one of the sources, and lines with their hits. Lines of methods repeat
 * those of the class. Some tools also list the line of a method's declaration there, which cannot be run, so they count only
 * if the class has no lines of its own.
 */
export function readCobertura(text: string): CoverageReport {
  const report = new CoverageReport();
  const sources: string[] = [];
  let isSource = false;
  let file = '';
  let isInMethod = false;
  let own: Line[] = [];
  let ofMethods: Line[] = [];
  readXml(text, {
    onOpen({ name, attributes }) {
      if (name === 'source') {
        isSource = true;
        sources.push('');
      } else if (name === 'class') file = attributes.filename ?? '';
      else if (name === 'method') isInMethod = true;
      else if (name === 'line') (isInMethod ? ofMethods : own).push([attributes.number, attributes.hits]);
    },
    onText(inner) {
      if (isSource) sources[sources.length - 1] += inner;
    },
    onClose(name) {
      if (name === 'source') isSource = false;
      else if (name === 'method') isInMethod = false;
      else if (name === 'class') {
        for (const [number, hits] of own.length > 0 ? own : ofMethods)
          report.add(placeOf(file, sources), number, hits);
        file = '';
        own = [];
        ofMethods = [];
      }
    },
  });
  return report;
}

/** The path of a file, below the source folder. With several sources it is unknown which one applies, so none is used. */
function placeOf(file: string, sources: readonly string[]): string {
  const [source = '', ...others] = sources
    .map((each) => each.trim())
    .filter((each) => each !== '' && each !== '.');
  if (file === '' || others.length > 0 || source === '' || file.startsWith('/')) return file;
  return path.posix.join(source, file);
}
