import { type CheckSettings, checksShape, defaultMode } from '../configuration/checks-shape.ts';

/**
 * Where a setting comes from. The repository's file takes precedence over the organization's defaults; enforced settings
 * apply in addition to both.
 */
export type CheckOrigin = 'built_in' | 'organization' | 'file' | 'enforced';

export type CheckKind = keyof CheckSettings;

export interface EffectiveSetting {
  readonly field: string;
  readonly value: unknown;
  readonly from: CheckOrigin;
}

/**
 * An effective check. If it is both enforced and configured by the repository, both apply: a field may be listed twice, and
 * an item of a list (`together`, `ask`) is a separate check for each of them, with the same name.
 */
export interface EffectiveCheck {
  readonly name: string;
  readonly kind: CheckKind;
  readonly mode: 'error' | 'warning' | 'off';
  /** Where the mode comes from. */
  readonly mode_from: CheckOrigin;
  readonly settings: readonly EffectiveSetting[];
}

export interface CheckSources {
  readonly organization?: CheckSettings | undefined;
  readonly file?: CheckSettings | undefined;
  readonly enforced?: CheckSettings | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** A check as required by the enforced settings, or by the file over the organization's defaults. */
interface Requirement {
  readonly kind: CheckKind;
  readonly name: string;
  readonly mode: EffectiveCheck['mode'];
  readonly modeFrom: CheckOrigin;
  readonly settings: readonly EffectiveSetting[];
}

const kinds = Object.keys(checksShape.shape) as CheckKind[];
/** The default values of fields. */
const builtIn: Partial<Record<CheckKind, Fields>> = {
  linked_issue: { required: true },
  owners: { approvals: 1 },
};
const strictestFirst: readonly EffectiveCheck['mode'][] = ['error', 'warning', 'off'];

/** All configured checks, in the order of the documentation, with the origin of every setting. */
export function effectiveChecks({
  organization = {},
  file = {},
  enforced = {},
}: CheckSources): EffectiveCheck[] {
  const requirements = [
    ...kinds.flatMap((kind) => requirementsOf(kind, [{ said: enforced, from: 'enforced' }])),
    ...kinds.flatMap((kind) =>
      requirementsOf(kind, [
        { said: organization, from: 'organization' },
        { said: file, from: 'file' },
      ]),
    ),
  ];
  const names = [...new Set(requirements.map(({ name }) => name))];
  return names
    .flatMap((name) => joined(requirements.filter((requirement) => requirement.name === name)))
    .sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind));
}

interface Layer {
  readonly said: CheckSettings;
  readonly from: CheckOrigin;
}

/** Merges the layers' settings for one kind of check; a later layer takes precedence. Fields are merged, lists replaced. */
function requirementsOf(kind: CheckKind, layers: readonly Layer[]): Requirement[] {
  const configured = layers.filter(({ said }) => said[kind] !== undefined);
  const last = configured.at(-1);
  if (last === undefined) return [];
  const lists = last.said[kind];
  if (Array.isArray(lists))
    return lists.map(({ name, ...fields }) => requirement(kind, name, [{ fields, from: last.from }]));
  return [
    requirement(
      kind,
      kind,
      configured.map(({ said, from }) => ({ fields: said[kind] as Fields, from })),
    ),
  ];
}

function requirement(
  kind: CheckKind,
  name: string,
  layers: readonly { readonly fields: Fields; readonly from: CheckOrigin }[],
): Requirement {
  const effective = new Map<string, EffectiveSetting>();
  for (const { fields, from } of [
    { fields: { mode: defaultMode, ...builtIn[kind] }, from: 'built_in' as const },
    ...layers,
  ])
    for (const [field, value] of Object.entries(fields))
      if (value !== undefined) effective.set(field, { field, value, from });
  const mode = effective.get('mode')!;
  effective.delete('mode');
  return {
    kind,
    name,
    mode: mode.value as EffectiveCheck['mode'],
    modeFrom: mode.from,
    settings: [...effective.values()],
  };
}

/**
 * Merges the requirements for one check name. The strictest mode applies to all, and those that are off are dropped unless all
 * are. Items of lists stay separate, because an enforced item may check something else than one with the same name.
 */
function joined(requirements: readonly Requirement[]): EffectiveCheck[] {
  const [strictest] = [...requirements].sort(
    (a, b) => strictestFirst.indexOf(a.mode) - strictestFirst.indexOf(b.mode),
  );
  const { kind, name, mode, modeFrom } = strictest!;
  const applying = requirements.filter((each) => each.mode !== 'off' || mode === 'off');
  const common = { name, mode, mode_from: modeFrom };
  if (isListed(kind))
    return applying.map((each) => ({ ...common, kind: each.kind, settings: each.settings }));
  return [{ ...common, kind, settings: applying.flatMap(({ settings }) => settings) }];
}

const isListed = (kind: CheckKind) => kind === 'together' || kind === 'ask';
