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

/** What is wrong with a line, and what it is about. */
export interface DockerFault {
  readonly rule: DockerRule;
  readonly line: number;
  readonly message: string;
}

const lineOf = (instruction: Instruction) => instruction.getInstructionRange().start.line + 1;
const keywordOf = (instruction: Instruction) => instruction.getKeyword().toUpperCase();
/** Programs that start as root and give its rights away. */
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

/** Each with the instruction that it begins with. */
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
  // A repository is fetched by its commit, or says so itself.
  if (/\.git(?:#|$)/.test(address)) return [];
  return [
    {
      rule: 'add-url',
      line: lineOf(instruction),
      message: `\`${shortened(address)}\` may be another file tomorrow`,
    },
  ];
}

function hasFlag(instruction: Instruction, wanted: string): boolean {
  const { getFlags } = instruction as Instruction & { getFlags?(): { getName(): string }[] };
  return getFlags?.call(instruction).some((flag) => flag.getName() === wanted) ?? false;
}

/** Written out, or taken from an argument of the build into what is left of it. */
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
            message: `\`${name}\` is set for good`,
          },
        ];
      }),
    );
}

/** Only where somebody has chosen it: most images run as root, and which do not cannot be seen here. */
function rootIn(stage: readonly Instruction[]): DockerFault[] {
  const user = stage.filter((each) => keywordOf(each) === 'USER').at(-1);
  const starts = stage.some((each) => ['CMD', 'ENTRYPOINT'].includes(keywordOf(each)));
  const name = user?.getArgumentsContent()?.trim() ?? '';
  if (user === undefined || !starts || !/^(?:root|0)(?::(?:root|0))?$/.test(name)) return [];
  return [{ rule: 'root-user', line: lineOf(user), message: 'The last `USER` is root' }];
}

const shortened = (address: string) => (address.length > 120 ? `${address.slice(0, 120)}…` : address);
