import type { Engine, Frame } from './frame.ts';
import { named, unknown, type Value } from './value.ts';

/** The value of an import: a name in a package, or a value of a file of the repository. */
export function importValue(run: Engine, frame: Frame, from: string, imported: string): Value {
  const isNear = frame.file === run.program.root || run.program.beside.includes(frame.file);
  const bare = from.replace(/^node:/, '');
  const member = isNear ? memberFile(run, frame, from, imported) : null;
  if (member !== null) return member;
  const files = isNear ? run.program.imported(frame.file, from) : [];
  if (files.length === 0) {
    const name = imported === '*' || imported === 'default' ? bare : `${bare}.${imported}`;
    if (isNear) run.noteImport(name, imported === '*' ? [from] : [from, memberSpecifier(from, imported)]);
    return named(name);
  }
  const given = files.map((file) => exportsOf(file.language, run.moduleScope(file)));
  const fields = new Map(given.flatMap((value) => [...(value.fields ?? [])]));
  const whole: Value = given.length === 1 ? given[0]! : { ...unknown, fields };
  if (imported === '*') return { ...whole, name: bare };
  if (imported === 'default' && !fields.has('default')) return whole;
  return fields.get(imported) ?? named(`${bare}.${imported}`);
}

/** In `from package import module`, the imported name may be a file. Null if it is not one of the repository. */
function memberFile(run: Engine, frame: Frame, from: string, imported: string): Value | null {
  if (frame.file.language !== 'python' || imported === '*') return null;
  const specifier = memberSpecifier(from, imported);
  const [file] = run.program.imported(frame.file, specifier);
  return file === undefined ? null : { ...exportsOf(file.language, run.moduleScope(file)), name: specifier };
}

function exportsOf(language: string, scope: ReturnType<Engine['moduleScope']>): Value {
  if (language !== 'javascript') return { ...unknown, fields: scope.values };
  const whole = scope.values.get('module')?.fields?.get('exports');
  const parts = scope.values.get('exports');
  if (whole === undefined) return parts ?? unknown;
  return { ...whole, fields: new Map([...(parts?.fields ?? []), ...(whole.fields ?? [])]) };
}

const memberSpecifier = (from: string, imported: string) =>
  from.endsWith('.') ? `${from}${imported}` : `${from}.${imported}`;
