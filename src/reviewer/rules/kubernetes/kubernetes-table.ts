import type { RuleExamples } from '../rule-examples.ts';
import { type RuleTable, security, stability } from '../rule-facts.ts';

/** The findings about Kubernetes manifests. */
export const kubernetesTable = {
  privileged: [
    'major',
    security,
    'A privileged container',
    'Whoever breaks into it has the node. Add the capabilities that it needs instead.',
    'CWE-250',
  ],
  'host-path': [
    'major',
    security,
    'A folder of the node is part of the container',
    'It can read, and mostly change, what belongs to the node and to others on it. Use a volume claim, or `emptyDir`.',
    'CWE-668',
  ],
  'no-memory-limit': [
    'minor',
    stability,
    'The container may use all memory of the node',
    'A leak in it takes others down. Set `resources.limits.memory`.',
    'CWE-770',
  ],
  'latest-tag': [
    'minor',
    stability,
    'The version of the image is left open',
    'Pods that are started later may run another version. Name one, or a digest.',
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
