import { satisfies as satisfiesPython, validRange } from '@renovatebot/pep440';
import semver from 'semver';
import type { Ecosystem } from '../dependency-file.ts';

/** Whether a version is one that the range asks for; undefined where that cannot be told for sure. */
export function satisfies(ecosystem: Ecosystem, version: string, range: string): boolean | undefined {
  const wanted = range.trim();
  if (wanted === '' || wanted === '*') return true;
  if (wanted.length > 200 || version.length > 200) return undefined;
  if (ecosystem === 'crates.io') return cargo(version, wanted);
  if (ecosystem === 'PyPI') return python(version, wanted);
  return undefined;
}

/** A range without a sign means the same as with `^`. Versions that are not released have rules of their own. */
function cargo(version: string, range: string): boolean | undefined {
  const ranges = range.split(',').map((each) => each.trim().replace(/^(?=\d)/, '^'));
  if (semver.parse(version) === null || version.includes('-') || range.includes('-')) return undefined;
  const isRange = ranges.every((each) => /^(?:\^|~|[<>]=?|=)\s*\d+(?:\.(?:\d+|\*)){0,2}$/.test(each));
  return isRange ? semver.satisfies(version, ranges.join(' ')) : undefined;
}

/** The ranges of the standard, and those of Poetry. */
function python(version: string, range: string): boolean | undefined {
  const standard = range.split(',').map((each) => asStandard(each.trim()));
  if (standard.includes(undefined) || !validRange(standard.join(','))) return undefined;
  return satisfiesPython(version, standard.join(','), { prereleases: true });
}

function asStandard(part: string): string | undefined {
  if (/^(?:[<>]=?|[!=~]=)\s*[\w.*!+-]+$/.test(part)) return part;
  if (/^\d+(?:\.\d+)*$/.test(part)) return `==${part}`;
  const [, sign, numbers] = /^([\^~])\s*(\d+(?:\.\d+){0,3})$/.exec(part) ?? [];
  if (numbers === undefined) return undefined;
  const parts = numbers.split('.').map(Number);
  const first = parts.findIndex((number) => number !== 0);
  const raised = sign === '~' ? Math.min(1, parts.length - 1) : first === -1 ? parts.length - 1 : first;
  const above = [...parts.slice(0, raised), parts[raised]! + 1].join('.');
  return `>=${numbers},<${above}`;
}
