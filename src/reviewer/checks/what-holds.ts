import { type CheckSettings, checksShape, defaultMode } from '../configuration/checks-shape.ts';

/**
 * Where a setting comes from. The repository's file takes precedence over the organization's defaults; enforced settings
 * apply in addition to both.
 */
export type CheckOrigin = 'built_in' | 'organization' | 'file' | 'enforced';

export type CheckKind = keyof CheckSettings;

export interface HeldSetting {
  readonly field: string;
  readonly value: unknown;
  readonly from: CheckOrigin;
}

/**
 * An effective check. If it is both enforced and configured by the repository, both apply: a field may be listed twice, and
 * an item of a list (`together`, `ask`) is a separate check for each of them, with the same name.
 */
export interface HeldCheck {
  readonly name: string;
  readonly kind: CheckKind;
  readonly mode: 'error' | 'warning' | 'off';
  /** The settings that decide the mode. */
  readonly mode_from: CheckOrigin;
  readonly settings: readonly HeldSetting[];
}

export interface CheckVoices {
  readonly organization?: CheckSettings | undefined;
  readonly file?: CheckSettings | undefined;
  readonly enforced?: CheckSettings | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** A check in one of the two settings that apply side by side: the enforced ones, or file over organization. */
interface Voice {
  readonly kind: CheckKind;
  readonly name: string;
  readonly mode: HeldCheck['mode'];
  readonly modeFrom: CheckOrigin;
  readonly settings: readonly HeldSetting[];
}

const kinds = Object.keys(checksShape.shape) as CheckKind[];
/** The default values of fields. */
const builtIn: Partial<Record<CheckKind, Fields>> = {
  linked_issue: { required: true },
  owners: { approvals: 1 },
};
const strictestFirst: readonly HeldCheck['mode'][] = ['error', 'warning', 'off'];

/** All configured checks, in the order of the documentation, with the origin of every setting. */
export function whatHolds({ organization = {}, file = {}, enforced = {} }: CheckVoices): HeldCheck[] {
  const voices = [
    ...kinds.flatMap((kind) => voicesOf(kind, [{ said: enforced, from: 'enforced' }])),
    ...kinds.flatMap((kind) =>
      voicesOf(kind, [
        { said: organization, from: 'organization' },
        { said: file, from: 'file' },
      ]),
    ),
  ];
  const names = [...new Set(voices.map(({ name }) => name))];
  return names
    .flatMap((name) => joined(voices.filter((voice) => voice.name === name)))
    .sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind));
}

interface Layer {
  readonly said: CheckSettings;
  readonly from: CheckOrigin;
}

/** Merges the layers' settings for one kind of check; a later layer takes precedence. Fields are merged, lists replaced. */
function voicesOf(kind: CheckKind, layers: readonly Layer[]): Voice[] {
  const speaking = layers.filter(({ said }) => said[kind] !== undefined);
  const last = speaking.at(-1);
  if (last === undefined) return [];
  const lists = last.said[kind];
  if (Array.isArray(lists))
    return lists.map(({ name, ...fields }) => voice(kind, name, [{ fields, from: last.from }]));
  return [
    voice(
      kind,
      kind,
      speaking.map(({ said, from }) => ({ fields: said[kind] as Fields, from })),
    ),
  ];
}

function voice(
  kind: CheckKind,
  name: string,
  layers: readonly { readonly fields: Fields; readonly from: CheckOrigin }[],
): Voice {
  const held = new Map<string, HeldSetting>();
  for (const { fields, from } of [
    { fields: { mode: defaultMode, ...builtIn[kind] }, from: 'built_in' as const },
    ...layers,
  ])
    for (const [field, value] of Object.entries(fields))
      if (value !== undefined) held.set(field, { field, value, from });
  const mode = held.get('mode')!;
  held.delete('mode');
  return {
    kind,
    name,
    mode: mode.value as HeldCheck['mode'],
    modeFrom: mode.from,
    settings: [...held.values()],
  };
}

/**
 * Merges the voices about one check name. The strictest mode applies to all, and those that are off are dropped unless all
 * are. Items of lists stay separate, because an enforced item may check something else than one with the same name.
 */
function joined(voices: readonly Voice[]): HeldCheck[] {
  const [strictest] = [...voices].sort(
    (a, b) => strictestFirst.indexOf(a.mode) - strictestFirst.indexOf(b.mode),
  );
  const { kind, name, mode, modeFrom } = strictest!;
  const holding = voices.filter((each) => each.mode !== 'off' || mode === 'off');
  const common = { name, mode, mode_from: modeFrom };
  if (isListed(kind)) return holding.map((each) => ({ ...common, kind: each.kind, settings: each.settings }));
  return [{ ...common, kind, settings: holding.flatMap(({ settings }) => settings) }];
}

const isListed = (kind: CheckKind) => kind === 'together' || kind === 'ask';
