import { satisfies as satisfiesPython, validRange } from '@renovatebot/pep440';
import semver from 'semver';
import type { Ecosystem } from '../../../review-report.ts';
import { compareVersions } from './versions.ts';

/** Whether a version is in a range; undefined if that cannot be decided with certainty. */
export function satisfies(ecosystem: Ecosystem, version: string, range: string): boolean | undefined {
  const wanted = range.trim();
  if (wanted === '' || wanted === '*') return true;
  if (wanted.length > 200 || version.length > 200) return undefined;
  if (ecosystem === 'crates.io') return cargo(version, wanted);
  if (ecosystem === 'PyPI') return python(version, wanted);
  if (ecosystem === 'RubyGems') return gem(version, wanted);
  if (ecosystem === 'Packagist') return composer(version, wanted);
  return undefined;
}

/** A range without an operator means `^`. Prereleases have rules of their own, and are not decided. */
function cargo(version: string, range: string): boolean | undefined {
  const ranges = range.split(',').map((each) => each.trim().replace(/^(?=\d)/, '^'));
  if (semver.parse(version) === null || version.includes('-') || range.includes('-')) return undefined;
  const isRange = ranges.every((each) => /^(?:\^|~|[<>]=?|=)\s*\d+(?:\.(?:\d+|\*)){0,2}$/.test(each));
  return isRange ? semver.satisfies(version, ranges.join(' ')) : undefined;
}

/** Supports the ranges of PEP 440, and those of Poetry. */
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
  const parts = numbers.split('.');
  const above = sign === '^' ? aboveCaret(numbers) : raisedAt(parts, Math.min(1, parts.length - 1));
  return `>=${numbers},<${above}`;
}

/** The first incompatible version: the first number that is not zero is raised. */
function aboveCaret(numbers: string): string {
  const parts = numbers.split('.');
  const first = parts.findIndex((number) => Number(number) !== 0);
  return raisedAt(parts, first === -1 ? parts.length - 1 : first);
}

/** The first version above a range with `~`: the last number but one is raised. */
function aboveLast(numbers: string): string {
  const parts = numbers.split('.');
  return raisedAt(parts, Math.max(parts.length - 2, 0));
}

function raisedAt(parts: readonly string[], index: number): string {
  return [...parts.slice(0, index), Number(parts[index]) + 1].join('.');
}

function gem(version: string, range: string): boolean | undefined {
  return fitsAll('RubyGems', version, range.replaceAll('~>', '~').split(','));
}

/** A range has alternatives, each with parts that must all match. */
function composer(version: string, range: string): boolean | undefined {
  const alternatives = range.split(/\|\|?/).map((each) =>
    each
      .trim()
      .replaceAll(/([<>=!^~])\s+/g, '$1')
      .split(/\s*,\s*|\s+/),
  );
  const fits = alternatives.map((parts) => fitsAll('Packagist', version.replace(/^v/i, ''), parts));
  return fits.includes(undefined) ? undefined : fits.includes(true);
}

/** Whether a version is in all ranges; undefined if it, or one of them, has other parts than numbers. */
function fitsAll(ecosystem: Ecosystem, version: string, ranges: readonly string[]): boolean | undefined {
  if (!/^\d+(?:\.\d+)*$/.test(version)) return undefined;
  const fits = ranges.map((range) => {
    const [, sign = '', numbers] = /^\s*([<>]=?|!=|==?|[\^~]|)\s*(\d+(?:\.\d+)*)\s*$/.exec(range) ?? [];
    if (numbers === undefined) return undefined;
    const order = (other: string) => compareVersions(ecosystem, version, other)!;
    const at = order(numbers);
    if (sign === '^') return at >= 0 && order(aboveCaret(numbers)) < 0;
    if (sign === '~') return at >= 0 && order(aboveLast(numbers)) < 0;
    if (sign.startsWith('<')) return at < 0 || (sign === '<=' && at === 0);
    if (sign.startsWith('>')) return at > 0 || (sign === '>=' && at === 0);
    return sign === '!=' ? at !== 0 : at === 0;
  });
  return fits.includes(undefined) ? undefined : !fits.includes(false);
}
