import {
  DockerfileParser,
  type From,
  type ImageTemplate,
  type Instruction,
  type PropertyInstruction,
} from 'dockerfile-ast';
import { hasOpenVersion } from '../open-version.ts';
import type { DockerRule } from './docker-table.ts';
import { isSecretName, isSecretValue } from './secret-values.ts';

/** A fault in a line, with a message that names its subject. */
export interface DockerFault {
  readonly rule: DockerRule;
  readonly line: number;
  readonly message: string;
}

const lineOf = (instruction: Instruction) => instruction.getInstructionRange().start.line + 1;
const keywordOf = (instruction: Instruction) => instruction.getKeyword().toUpperCase();
/** Programs that start as root and drop its rights. */
const dropsRights = /\b(?:gosu|su-exec|setpriv|runuser|chpst|s6-overlay|s6-svscan|step-down)\b|"\/init"/;

const comments = /^\s*#.*$/gm;

export function faultsInDockerfile(text: string): DockerFault[] {
  const file = DockerfileParser.parse(text);
  const stages = stagesOf(file.getInstructions());
  const final = stages.at(-1);
  return [
    ...openVersions(file),
    ...file.getInstructions().flatMap(downloads),
    ...stages.flatMap((stage) => secretsIn(stage, stage === final)),
    ...(final === undefined || dropsRights.test(text.replaceAll(comments, '')) ? [] : rootIn(final)),
  ];
}

/** The build stages, each from its `FROM` on. */
function stagesOf(instructions: readonly Instruction[]): Instruction[][] {
  const stages: Instruction[][] = [];
  for (const instruction of instructions) {
    if (keywordOf(instruction) === 'FROM') stages.push([]);
    stages.at(-1)?.push(instruction);
  }
  return stages;
}

function openVersions(file: ImageTemplate): DockerFault[] {
  const names = new Set<string>();
  return file.getFROMs().flatMap((from: From) => {
    const image = from.getImage() ?? '';
    const isStage = names.has(image.toLowerCase());
    names.add((from.getBuildStage() ?? '').toLowerCase());
    if (isStage || !hasOpenVersion(image)) return [];
    return [{ rule: 'latest-tag', line: lineOf(from), message: `\`${image}\` can be any version` }];
  });
}

function downloads(instruction: Instruction): DockerFault[] {
  if (keywordOf(instruction) !== 'ADD') return [];
  const words = (instruction.getArgumentsContent() ?? '').split(/[\s",[\]]+/);
  const address = words.find((word) => /^https?:\/\//i.test(word));
  if (address === undefined || hasFlag(instruction, 'checksum')) return [];
  // A Git repository needs no checksum: its commit can be pinned instead.
  if (/\.git(?:#|$)/.test(address)) return [];
  return [
    {
      rule: 'add-url',
      line: lineOf(instruction),
      message: `\`${shortened(address)}\` can return another file at any time`,
    },
  ];
}

function hasFlag(instruction: Instruction, wanted: string): boolean {
  const { getFlags } = instruction as Instruction & { getFlags?(): { getName(): string }[] };
  return getFlags?.call(instruction).some((flag) => flag.getName() === wanted) ?? false;
}

/** Secrets in `ENV`: literal values, or, in the final stage, build arguments. */
function secretsIn(stage: readonly Instruction[], isFinal: boolean): DockerFault[] {
  const args = new Set(
    stage
      .filter((each) => keywordOf(each) === 'ARG')
      .map((each) => (each.getArgumentsContent() ?? '').split('=')[0]!),
  );
  return stage
    .filter((each) => keywordOf(each) === 'ENV')
    .flatMap((env) =>
      (env as PropertyInstruction).getProperties().flatMap((property) => {
        const [name, value] = [property.getName(), property.getValue() ?? ''];
        const argument = /^\$\{?(\w+)\}?$/.exec(value)?.[1];
        const isKept = isFinal && argument !== undefined && args.has(argument);
        if (!isSecretName(name) || !(isKept || isSecretValue(value))) return [];
        return [
          {
            rule: 'secret-in-env' as const,
            line: property.getNameRange().start.line + 1,
            message: `\`${name}\` is stored in the image`,
          },
        ];
      }),
    );
}

/** Only an explicit `USER` is reported: most images run as root, and the default user of an image is not known here. */
function rootIn(stage: readonly Instruction[]): DockerFault[] {
  const user = stage.filter((each) => keywordOf(each) === 'USER').at(-1);
  const starts = stage.some((each) => ['CMD', 'ENTRYPOINT'].includes(keywordOf(each)));
  const name = user?.getArgumentsContent()?.trim() ?? '';
  if (user === undefined || !starts || !/^(?:root|0)(?::(?:root|0))?$/.test(name)) return [];
  return [{ rule: 'root-user', line: lineOf(user), message: 'The last `USER` is root' }];
}

const shortened = (address: string) => (address.length > 120 ? `${address.slice(0, 120)}…` : address);
