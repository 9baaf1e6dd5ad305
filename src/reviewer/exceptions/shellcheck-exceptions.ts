import { foldersAbove, type SettingsFile } from './settings-files.ts';
import type { Silence } from './silence.ts';

export const shellcheckFiles = ['.shellcheckrc', 'shellcheckrc'] as const;

/** The exceptions in `.shellcheckrc`; only the nearest file applies. */
export function shellcheckExceptions(files: readonly SettingsFile[]): Silence[] {
  const isOff = new Map<string, (code: number) => boolean>();
  for (const { folder, text } of files) if (!isOff.has(folder)) isOff.set(folder, readDisabled(text));
  if (isOff.size === 0) return [];
  return [
    (path, rule) => {
      const code = /^shell\/SC(\d+)$/.exec(rule)?.[1];
      if (code === undefined) return false;
      const nearest = foldersAbove(path).find((folder) => isOff.has(folder));
      return nearest !== undefined && isOff.get(nearest)!(Number(code));
    },
  ];
}

function readDisabled(text: string): (code: number) => boolean {
  const given = [...text.matchAll(/^\s*disable=([^#\n]*)/gm)].flatMap(([, codes = '']) =>
    codes.trim().replace(/^"|"$/g, '').split(','),
  );
  const ranges = given.map((code): readonly [number, number] => {
    if (code.trim() === 'all') return [0, Number.POSITIVE_INFINITY];
    const [from, to] = code.split('-').map((part) => Number(part.trim().replace(/^SC/, '')));
    return [from!, to ?? from!];
  });
  return (code) => ranges.some(([from, to]) => code >= from && code <= to);
}
