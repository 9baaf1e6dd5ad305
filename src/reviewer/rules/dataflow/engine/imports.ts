import type { Engine, Frame } from './frame.ts';
import { named, unknown, type Value } from './value.ts';

/** What an import gives: names of a package, or values of a file of the repository. */
export function importValue(run: Engine, frame: Frame, from: string, imported: string): Value {
  const files =
    frame.file === run.program.root || run.program.beside.includes(frame.file)
      ? run.program.imported(frame.file, from)
      : [];
  const bare = from.replace(/^node:/, '');
  if (files.length === 0)
    return named(imported === '*' || imported === 'default' ? bare : `${bare}.${imported}`);
  const given = files.map((file) => exportsOf(file.language, run.moduleScope(file)));
  const fields = new Map(given.flatMap((value) => [...(value.fields ?? [])]));
  const whole: Value = given.length === 1 ? given[0]! : { ...unknown, fields };
  if (imported === '*') return { ...whole, name: bare };
  if (imported === 'default' && !fields.has('default')) return whole;
  return fields.get(imported) ?? named(`${bare}.${imported}`);
}

function exportsOf(language: string, scope: ReturnType<Engine['moduleScope']>): Value {
  if (language !== 'javascript') return { ...unknown, fields: scope.values };
  const whole = scope.values.get('module')?.fields?.get('exports');
  const parts = scope.values.get('exports');
  if (whole === undefined) return parts ?? unknown;
  return { ...whole, fields: new Map([...(parts?.fields ?? []), ...(whole.fields ?? [])]) };
}
