import type { Node } from 'yaml';
import { isExample, isTest } from '../../change/file-kinds.ts';
import type { RuleFinding, RuleSource, SourceText } from '../../rule-source.ts';
import { findOneByOne } from '../find-one-by-one.ts';
import { hasOpenVersion } from '../open-version.ts';
import { describeFinding } from '../rule-facts.ts';
import { isReadableYaml, readYaml, type YamlDocument } from '../yaml-nodes.ts';
import { type KubernetesRule, kubernetesTable } from './kubernetes-table.ts';

interface KubernetesFault {
  readonly rule: KubernetesRule;
  readonly line: number;
  readonly message: string;
}

/** The path of the pod template, by kind. A document without the required field is a patch of another one. */
const workloads: Readonly<
  Record<string, { readonly pod: readonly string[]; readonly required: readonly string[] }>
> = {
  Pod: { pod: [], required: [] },
  Deployment: { pod: ['spec', 'template'], required: ['spec', 'selector'] },
  StatefulSet: { pod: ['spec', 'template'], required: ['spec', 'selector'] },
  DaemonSet: { pod: ['spec', 'template'], required: ['spec', 'selector'] },
  ReplicaSet: { pod: ['spec', 'template'], required: ['spec', 'selector'] },
  ReplicationController: { pod: ['spec', 'template'], required: [] },
  Job: { pod: ['spec', 'template'], required: [] },
  CronJob: { pod: ['spec', 'jobTemplate', 'spec', 'template'], required: ['spec', 'schedule'] },
};
/** API versions that did not require a selector. */
const withoutSelector = /^(?:extensions|apps)\/v1beta1$/;
const podKinds = new RegExp(`^\\s*(?:- )?kind:\\s*["']?(?:${Object.keys(workloads).join('|')})\\b`, 'm');
const maxLength = 5_000_000;
/** Files that hold nothing but the time zone. */
const harmlessPaths = /^\/(?:etc\/(?:localtime|timezone)|usr\/share\/zoneinfo)\b/;
/** The image name that kubebuilder generates; it is replaced at deployment. */
const replacedLater = /^controller:latest$/;

/** Rules for Kubernetes manifests. Any YAML file may be one. */
export const kubernetes: RuleSource = {
  name: 'kubernetes',
  isGeneral: true,
  covers: (path) => /\.ya?ml$/i.test(path) && !/^\.github\//.test(path),
  understands: ({ text }) => partsOf(text).every(({ part }) => isReadableYaml(part)),
  find: findOneByOne(findIn),
};

function findIn({ path, text }: SourceText): RuleFinding[] {
  if (text.length > maxLength || isTest(path) || isExample(path)) return [];
  const isLimited = /^kind:\s*["']?LimitRange\b/m.test(text);
  return partsOf(text)
    .flatMap(({ part, offset }) =>
      readYaml(part).flatMap((document) =>
        objectsIn(document)
          .flatMap((object) => faultsIn(document, object))
          .map((fault) => ({ ...fault, line: fault.line + offset })),
      ),
    )
    .filter(({ rule }) => rule !== 'no-memory-limit' || !isLimited)
    .map(({ rule, line, message }) => ({
      rule: `kubernetes/${rule}`,
      startLine: line,
      endLine: line,
      ...describeFinding(kubernetesTable[rule], message),
    }));
}

/**
 * The documents of a file that describe pods, and the number of lines before each. Other documents can be many and long, so they
 * are not parsed.
 */
function partsOf(text: string): { readonly part: string; readonly offset: number }[] {
  let offset = 0;
  return text.split(/^---(?=\s)/m).flatMap((part) => {
    const before = offset;
    offset += part.split('\n').length - 1;
    return podKinds.test(part) ? [{ part, offset: before }] : [];
  });
}

function objectsIn({ root, text, field, items }: YamlDocument): Node[] {
  if (root === undefined) return [];
  return text(root, 'kind') === 'List' ? items(field(root, 'items')) : [root];
}

function faultsIn(document: YamlDocument, object: Node): KubernetesFault[] {
  const { text, at, items } = document;
  const kind = text(object, 'kind') ?? '';
  const workload = Object.hasOwn(workloads, kind) ? workloads[kind]! : undefined;
  const version = text(object, 'apiVersion');
  if (workload === undefined || version === undefined) return [];
  const isPatch = workload.required.length > 0 && at(object, ...workload.required) === undefined;
  if (isPatch && !withoutSelector.test(version)) return [];
  const spec = at(object, ...workload.pod, 'spec');
  const containers = items(at(spec, 'containers'));
  // A patch names containers without saying what runs in them.
  if (containers.length === 0 || containers.some((each) => text(each, 'image') === undefined)) return [];
  return [
    ...[...containers, ...items(at(spec, 'initContainers'))].flatMap((each) =>
      faultsInContainer(document, each),
    ),
    ...containers.flatMap((each) => unlimited(document, each)),
    ...(kind === 'DaemonSet' ? [] : items(at(spec, 'volumes')).flatMap((each) => hostPath(document, each))),
  ];
}

function faultsInContainer({ text, at, lineOf }: YamlDocument, container: Node): KubernetesFault[] {
  const faults: KubernetesFault[] = [];
  const privileged = at(container, 'securityContext', 'privileged');
  if (privileged !== undefined && text(privileged) === 'true')
    faults.push({ rule: 'privileged', line: lineOf(privileged), message: about(text(container, 'name')) });
  const image = at(container, 'image');
  const name = text(image) ?? '';
  if (image !== undefined && hasOpenVersion(name) && !replacedLater.test(name))
    faults.push({ rule: 'latest-tag', line: lineOf(image), message: `\`${name}\` can be any version` });
  return faults;
}

function unlimited({ text, at, lineOf }: YamlDocument, container: Node): KubernetesFault[] {
  if (at(container, 'resources', 'limits', 'memory') !== undefined) return [];
  // Placed at the name, because a container with another image is still the same one.
  const line = lineOf(at(container, 'name') ?? container);
  return [{ rule: 'no-memory-limit', line, message: about(text(container, 'name')) }];
}

/** A DaemonSet is not checked: agents of the node run as one, and need such paths. */
function hostPath({ text, at, lineOf }: YamlDocument, volume: Node): KubernetesFault[] {
  const path = at(volume, 'hostPath', 'path');
  if (path === undefined || harmlessPaths.test(text(path) ?? '')) return [];
  return [{ rule: 'host-path', line: lineOf(path), message: `The path is \`${text(path)}\`` }];
}

const about = (name: string | undefined) => (name === undefined ? '' : `The container is \`${name}\``);
