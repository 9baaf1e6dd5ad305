import type { Ecosystem } from '../../reviewer/review-report.ts';

const types: Readonly<Record<Ecosystem, string>> = {
  npm: 'npm',
  PyPI: 'pypi',
  Go: 'golang',
  'crates.io': 'cargo',
  Maven: 'maven',
  RubyGems: 'gem',
  Packagist: 'composer',
  NuGet: 'nuget',
  'GitHub Actions': 'github',
};

/** Everything but what the specification lets stand. */
const encoded = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

/** Names the package as every tool does: `pkg:npm/%40scope/name@1.0.0`. The version is left out where none is fixed. */
export function packageUrl(ecosystem: Ecosystem, name: string, version: string | null): string {
  const parts = name.split(ecosystem === 'Maven' ? ':' : '/');
  // An action may be a folder of its repository.
  const isAction = ecosystem === 'GitHub Actions';
  const path = (isAction ? parts.slice(0, 2) : parts).map(encoded).join('/');
  const folder = isAction && parts.length > 2 ? `#${parts.slice(2).map(encoded).join('/')}` : '';
  return `pkg:${types[ecosystem]}/${path}${version === null ? '' : `@${encoded(version)}`}${folder}`;
}
