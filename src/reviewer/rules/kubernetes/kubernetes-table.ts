import type { RuleExamples } from '../rule-examples.ts';
import { type RuleTable, security, stability } from '../rule-facts.ts';

/** The findings about Kubernetes manifests. */
export const kubernetesTable = {
  privileged: [
    'major',
    security,
    'Privileged container',
    'An attacker who takes over the container controls the node. Add only the capabilities that it needs instead.',
    'CWE-250',
  ],
  'host-path': [
    'major',
    security,
    'A directory of the node is mounted',
    'The pod can read, and usually change, files of the node and of other pods on it. Use a persistent volume claim, or `emptyDir`.',
    'CWE-668',
  ],
  'no-memory-limit': [
    'minor',
    stability,
    'No memory limit for the container',
    'A memory leak in it can use up the memory of the node and take other pods down. Set `resources.limits.memory`.',
    'CWE-770',
  ],
  'latest-tag': [
    'minor',
    stability,
    'The image version is not pinned',
    'Pods that start later may run another version. Name a version, or a digest.',
  ],
} as const satisfies RuleTable;

export type KubernetesRule = keyof typeof kubernetesTable;

const pod = (container: string, volumes = '') =>
  `apiVersion: v1\nkind: Pod\nmetadata:\n  name: shop\nspec:\n  containers:\n    - name: shop\n${container}${volumes}`;
const limits = '      resources:\n        limits:\n          memory: 128Mi\n';
const image = '      image: example.com/shop:1.2.0\n';
const security_ = (line: string) => `      securityContext:\n        ${line}\n`;

export const kubernetesExamples: RuleExamples<typeof kubernetesTable> = {
  privileged: {
    path: 'deploy/shop.yaml',
    fails: pod(image + limits + security_('privileged: true')),
    passes: pod(image + limits + security_('capabilities: { add: [NET_BIND_SERVICE] }')),
  },
  'host-path': {
    path: 'deploy/shop.yaml',
    fails: pod(
      image + limits,
      '  volumes:\n    - name: data\n      hostPath:\n        path: /var/lib/shop\n',
    ),
    passes: pod(image + limits, '  volumes:\n    - name: data\n      emptyDir: {}\n'),
  },
  'no-memory-limit': { path: 'deploy/shop.yaml', fails: pod(image), passes: pod(image + limits) },
  'latest-tag': {
    path: 'deploy/shop.yaml',
    fails: pod(`      image: example.com/shop:latest\n${limits}`),
    passes: pod(image + limits),
  },
};
