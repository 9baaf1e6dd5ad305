import { compare as comparePython, valid as validPython } from '@renovatebot/pep440';
import semver from 'semver';
import type { Ecosystem } from '../../../review-report.ts';
import { compareGems, compareMaven, comparePackagist } from './dotted.ts';

/** Compares two versions by the rules of an ecosystem; undefined if one of them is no version. */
type Compare = (a: string, b: string) => number | undefined;

const semantic: Compare = (a, b) => {
  const [one, other] = [semver.parse(a, { loose: true }), semver.parse(b, { loose: true })];
  return one === null || other === null ? undefined : one.compare(other);
};

/** NuGet versions have one to four numbers. */
const nuget: Compare = (a, b) => {
  const parts = [a, b].map((version) => /^(\d+(?:\.\d+){0,3})(-[\w.-]+)?(?:\+.*)?$/.exec(version));
  if (parts.includes(null)) return undefined;
  const [one, other] = parts.map((part) => [...part![1]!.split('.'), '0', '0', '0'].slice(0, 4)) as [
    string[],
    string[],
  ];
  for (let index = 0; index < 4; index += 1) {
    const difference = Number(one[index]) - Number(other[index]);
    if (difference !== 0) return difference;
  }
  return semantic(`0.0.0${parts[0]![2] ?? ''}`.toLowerCase(), `0.0.0${parts[1]![2] ?? ''}`.toLowerCase());
};

const python: Compare = (a, b) =>
  validPython(a) === null || validPython(b) === null ? undefined : comparePython(a, b);

const startsWithNumber =
  (compare: (a: string, b: string) => number): Compare =>
  (a, b) =>
    /^v?\d/i.test(a) && /^v?\d/i.test(b) && a.length <= maxLength && b.length <= maxLength
      ? compare(a, b)
      : undefined;

const maxLength = 256;

const rules: Readonly<Record<Ecosystem, Compare>> = {
  npm: semantic,
  'crates.io': semantic,
  Go: (a, b) => semantic(a.replace(/\+incompatible$/, ''), b.replace(/\+incompatible$/, '')),
  PyPI: python,
  Maven: startsWithNumber(compareMaven),
  RubyGems: startsWithNumber(compareGems),
  Packagist: startsWithNumber(comparePackagist),
  NuGet: nuget,
  // Tags, most of them like `v4`.
  'GitHub Actions': startsWithNumber((a, b) => compareMaven(a.replace(/^v/i, ''), b.replace(/^v/i, ''))),
};

/** Negative if the first version comes before the second; undefined if one of them is no version. */
export function compareVersions(ecosystem: Ecosystem, a: string, b: string): number | undefined {
  if (a.length > maxLength || b.length > maxLength) return undefined;
  return rules[ecosystem](a, b);
}
