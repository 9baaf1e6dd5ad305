import type { Expression, Target } from '../form.ts';
import { type Engine, type Frame, pathOf, quoted } from './frame.ts';
import { memberOf } from './members.ts';
import { cleanPrefix } from './memory.ts';
import { allLabels, join, unknown, type Value, withField, withStep } from './value.ts';

/** Assigns a value to a variable, a member, an element, or the parts of a destructuring pattern. */
export function assignTo(
  run: Engine,
  frame: Frame,
  target: Target,
  value: Value,
  line: number,
  isNew = false,
): void {
  switch (target.kind) {
    case 'name': {
      const scope = (isNew ? null : frame.scope.find(target.name)) ?? frame.scope;
      forgetChecks(run, frame, target.name);
      const step = { path: frame.file.path, line, text: `is stored in \`${quoted(target.name)}\`` };
      run.memory.set(scope, target.name, withStep(value, step));
      break;
    }
    case 'apart':
      for (const [index, { target: part }] of target.parts.entries())
        assignTo(run, frame, part, partOf(run, frame, target.parts, index, value, line), line, isNew);
      break;
    case 'member':
      writeMember(run, frame, target, value, line);
      break;
    case 'element':
      writeElement(run, frame, target, value, line);
  }
}

function partOf(
  run: Engine,
  frame: Frame,
  parts: Extract<Target, { kind: 'apart' }>['parts'],
  index: number,
  value: Value,
  line: number,
): Value {
  const { name } = parts[index]!;
  if (name === null) return value;
  if (/^\d+$/.test(name) && value.isList) return value.fields?.get(name) ?? unknown;
  if (frame.file.language !== 'go') return memberOf(run, frame, value, name, line);
  // The last of several results in Go is the error.
  const own = value.fields?.get(name);
  return own ?? (index < parts.length - 1 && value.fields === null ? value : unknown);
}

/** Forgets the checks of a variable, which has another value now. */
function forgetChecks(run: Engine, frame: Frame, name: string): void {
  if (!run.checked.has(name)) return;
  const prefix = cleanPrefix + name;
  for (let scope: Frame['scope'] | null = frame.scope; scope !== null; scope = scope.parent)
    for (const key of [...scope.values.keys()])
      if (key.startsWith(prefix) && !/^[\w$]/.test(key.slice(prefix.length)))
        run.memory.set(scope, key, undefined);
}

function writeMember(
  run: Engine,
  frame: Frame,
  target: Extract<Target, { kind: 'member' }>,
  value: Value,
  line: number,
): void {
  for (const { rule, names, needs } of frame.table.writes)
    if (names.test(target.name))
      run.hits.reach(
        {
          rule,
          value,
          labels: allLabels(value),
          needs: needs ?? [],
          from: 'requests',
          line,
          into: target.name,
        },
        frame,
      );
  const of = run.value(frame, target.of);
  const path = pathOf(target);
  const step = { path: frame.file.path, line, text: `is stored in \`${quoted(path ?? target.name)}\`` };
  const before = of.fields?.get(target.name);
  const kept = withStep(value, step);
  // Other methods may read the field before or after this assignment, so both values count.
  const isShared = target.of.kind === 'name' && /^(?:this|self)$/.test(target.of.name);
  store(
    run,
    frame,
    target.of,
    withField(of, target.name, isShared && before !== undefined ? join(before, kept) : kept),
    line,
  );
}

/** `object[name] = value`: dangerous if both `name` and the key by which the object was found are untrusted. */
function writeElement(
  run: Engine,
  frame: Frame,
  target: Extract<Target, { kind: 'element' }>,
  value: Value,
  line: number,
): void {
  const of = run.value(frame, target.of);
  const key = run.value(frame, target.key);
  if (
    of.reached !== null &&
    !of.reached.cleaned.has('property-injection') &&
    key.constant === undefined &&
    frame.file.language === 'javascript'
  ) {
    const into = `${pathOf(target.of) ?? 'object'}[${pathOf(target.key) ?? '…'}]`;
    // Writing a function or constant of the program itself does little harm.
    const isKept = value.callable === null && value.constant === undefined;
    if (isKept)
      run.hits.reach(
        {
          rule: 'property-injection',
          value: key,
          labels: key.labels.filter(({ isComposed }) => !isComposed),
          needs: [],
          from: 'anybody',
          line,
          into,
        },
        frame,
      );
  }
  const name = key.constant === undefined || key.constant === null ? null : String(key.constant);
  if (name !== null) store(run, frame, target.of, withField(of, name, value), line);
  else if (allLabels(value).length > 0) {
    const labels = [...of.labels, ...allLabels(value)];
    store(run, frame, target.of, { ...of, labels, isList: false }, line);
  }
}

/** Stores a changed value in the variable or member that it came from. */
export function store(
  run: Engine,
  frame: Frame,
  where: Target | Expression,
  value: Value,
  line: number,
): void {
  if (where.kind === 'name') {
    const scope = frame.scope.find(where.name) ?? frame.scope;
    run.memory.set(scope, where.name, value);
  } else if (where.kind === 'member') {
    const of = run.value(frame, where.of);
    store(run, frame, where.of, withField(of, where.name, value), line);
  }
}
