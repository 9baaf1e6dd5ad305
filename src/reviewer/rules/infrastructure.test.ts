import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeOf } from '../../../test/change-of-versions.ts';
import { reviewHere } from '../../../test/review-here.ts';
import { resolveConfiguration } from '../configuration/review-configuration.ts';
import type { RuleSource } from '../rule-source.ts';
import { docker } from './docker/docker.ts';
import { dockerExamples } from './docker/docker-table.ts';
import { kubernetes } from './kubernetes/kubernetes.ts';
import { kubernetesExamples } from './kubernetes/kubernetes-table.ts';
import type { RuleExample } from './rule-examples.ts';
import { terraform } from './terraform/terraform.ts';
import { terraformExamples } from './terraform/terraform-table.ts';
import { workflowExamples } from './workflows/workflow-table.ts';
import { workflows } from './workflows/workflows.ts';

const { signal } = new AbortController();

/** The findings of a source about one text, as `line rule`. */
async function saidOf(source: RuleSource, path: string, text: string): Promise<string[]> {
  assert.ok(source.covers(path), path);
  const [found] = await source.find([{ path, text }], signal);
  return found!.map(({ startLine, rule }) => `${startLine} ${rule.slice(source.name.length + 1)}`);
}

const sources: [RuleSource, Record<string, RuleExample>][] = [
  [docker, dockerExamples],
  [terraform, terraformExamples],
  [kubernetes, kubernetesExamples],
  [workflows, workflowExamples],
];

for (const [source, examples] of sources)
  test(`every rule of ${source.name} finds its own fault in its failing example, and nothing in its passing one`, async () => {
    for (const [rule, { path, fails, passes }] of Object.entries(examples)) {
      const [found] = await source.find([{ path, text: fails }], signal);
      assert.deepEqual(
        found!.map((each) => each.rule),
        [`${source.name}/${rule}`],
      );
      assert.deepEqual(await saidOf(source, path, passes), [], rule);
    }
  });

test('Docker: images without a tag are reported, but not stages, digests and variables', async () => {
  const lines = [
    'ARG TAG=latest',
    'FROM node AS build',
    'FROM build AS test',
    'FROM BUILD',
    'FROM scratch',
    'FROM ghcr.io/a/b',
    'FROM localhost:5000/a/b:1',
    `FROM node@sha256:${'a'.repeat(64)}`,
    'FROM node:$TAG',
    'FROM ours',
    'FROM --platform=linux/amd64 alpine:latest as last',
  ];
  assert.deepEqual(await saidOf(docker, 'a/Dockerfile.prod', lines.join('\n')), [
    '2 latest-tag',
    '6 latest-tag',
    '11 latest-tag',
  ]);
});

test('Docker: secrets that are filled in later, only named, or only in an earlier stage are not reported', async () => {
  const lines = [
    'FROM node:24 AS build',
    'ARG NPM_TOKEN',
    'ENV NPM_TOKEN=$NPM_TOKEN',
    'FROM node:24',
    'ENV SECRET_KEY_BASE=dummy-for-build PASSWORD_FILE=/run/secrets/p DB_PASSWORD= TOKEN=$UNKNOWN',
    'ENV API_KEY=9f8a7b6c5d4e MAX_TOKEN=1234567',
    'ENV DB_PASSWORD hunter2hunter2',
    'ENV A=b \\',
    '    SECRET_KEY="9f8a7b6c5d4e"',
  ];
  assert.deepEqual(await saidOf(docker, 'Dockerfile', lines.join('\n')), [
    '6 secret-in-env',
    '7 secret-in-env',
    '9 secret-in-env',
  ]);
});

test('Docker: root is not reported if the program drops its rights, or the image is only a base for others', async () => {
  const root = 'FROM node:24\nUSER root\n';
  assert.deepEqual(await saidOf(docker, 'Dockerfile', `${root}CMD ["x"]\n`), ['2 root-user']);
  assert.deepEqual(await saidOf(docker, 'Dockerfile', root), []);
  assert.deepEqual(await saidOf(docker, 'Dockerfile', `${root}ENTRYPOINT ["gosu", "node", "x"]\n`), []);
});

test('Compose: pulled images are checked, built ones are not', async () => {
  const text = [
    'x-base: &base',
    '  image: redis',
    'services:',
    '  a: { image: "shop:latest", build: . }',
    '  b: { image: "shop/web:latest" }',
    '  c:',
    '    <<: *base',
    '  d: { image: "redis:$TAG" }',
    '  e: { image: "redis:8" }',
    '  f: { image: "shop:latest", command: migrate }',
  ].join('\n');
  assert.deepEqual(await saidOf(docker, 'docker-compose.dev.yml', text), ['5 latest-tag', '2 latest-tag']);
});

test('Terraform: open ports are reported; the web, pings, variables and other files are not', async () => {
  const group = (rule: string) => `resource "aws_security_group" "a" {\n  ingress {\n${rule}\n  }\n}\n`;
  const rule = (from: string, to: string, protocol: string, cidr: string) =>
    group(`from_port = ${from}\nto_port = ${to}\nprotocol = ${protocol}\ncidr_blocks = ${cidr}`);
  const world = '["10.0.0.0/8", "0.0.0.0/0",]';
  const said = (text: string) => saidOf(terraform, 'main.tf', text);
  assert.deepEqual(await said(rule('22', '22', '"tcp"', world)), ['6 open-ingress']);
  assert.deepEqual(await said(rule('0', '0', '"-1"', world)), ['6 open-ingress']);
  assert.deepEqual(await said(rule('0', '65535', '"tcp"', world)), ['6 open-ingress']);
  for (const silent of [
    rule('443', '443', '"tcp"', world),
    rule('8', '0', '"icmp"', world),
    rule('var.port', 'var.port', '"tcp"', world),
    rule('22', '22', '"tcp"', 'var.networks'),
    rule('22', '22', '"tcp"', `["$${'{var.own}'}/32"]`),
    rule('22', '22', '"tcp"', world).replace('ingress', 'egress'),
    rule('22', '22', '"tcp"', world).replace('resource', '# resource'),
    'resource "aws_security_group" "a" {',
    `locals { a = <<-EOT\n${rule('22', '22', '"tcp"', world)}\n  EOT\n}\n`,
  ])
    assert.deepEqual(await said(silent), [], silent);
  const google =
    'resource "google_compute_firewall" "a" {\n  source_ranges = ["0.0.0.0/0"]\n  allow {\n    protocol = "tcp"\n    ports = ["443", "22"]\n  }\n}\n';
  assert.deepEqual(await said(google), ['2 open-ingress']);
  assert.deepEqual(await said(google.replace(', "22"', '')), []);
});

test('Terraform: a website is public on purpose, and a copy of a snapshot may be encrypted', async () => {
  const said = (text: string) => saidOf(terraform, 'main.tf', text);
  const bucket = 'resource "aws_s3_bucket" "a" {\n  acl = "public-read"\n}\n';
  assert.deepEqual(await said(bucket), ['2 public-bucket']);
  assert.deepEqual(await said(`${bucket}resource "aws_s3_bucket_website_configuration" "a" {\n}\n`), []);
  assert.deepEqual(await said('resource "aws_db_instance" "a" {\n  engine = "mysql"\n}\n'), [
    '1 unencrypted',
  ]);
  assert.deepEqual(await said('resource "aws_db_instance" "a" {\n  snapshot_identifier = "x"\n}\n'), []);
  assert.deepEqual(await said('resource "aws_db_instance" "a" {\n  storage_encrypted = var.x\n}\n'), []);
});

test('Kubernetes: templates, patches, agents of the node and other documents are not reported', async () => {
  const deployment = [
    'apiVersion: apps/v1',
    'kind: Deployment',
    'metadata: { name: a }',
    'spec:',
    '  selector: {}',
    '  template:',
    '    spec:',
    '      initContainers: [{ name: i, image: a/i:1, securityContext: { privileged: true } }]',
    '      containers:',
    '        - name: a',
    '          image: nginx',
    '      volumes: [{ name: v, hostPath: { path: /data } }]',
  ].join('\n');
  const said = (text: string, path = 'deploy/a.yaml') => saidOf(kubernetes, path, text);
  assert.deepEqual((await said(deployment)).sort(), [
    '10 no-memory-limit',
    '11 latest-tag',
    '12 host-path',
    '8 privileged',
  ]);
  for (const silent of [
    deployment.replace('nginx', '{{ .Values.image }}'),
    deployment.replace('  selector: {}\n', ''),
    deployment.replace('          image: nginx\n', ''),
    deployment.replace('kind: Deployment', 'kind: Shop'),
    deployment.replace('kind: Deployment', 'kind: constructor'),
    deployment.replace('spec:', 'spec: ['),
  ])
    assert.deepEqual(await said(silent), [], silent);
  assert.deepEqual(await said(deployment, 'test/e2e/a.yaml'), []);
  const second = await said(`apiVersion: v1\nkind: Service\n---\n${deployment}`);
  assert.ok(second.includes('14 latest-tag'), second.join());
  const former = deployment.replace('apps/v1', 'extensions/v1beta1').replace('  selector: {}\n', '');
  assert.ok(
    (await said(former)).includes('10 latest-tag'),
    'selectors were not asked for in former versions',
  );
  const imageFirst = deployment.replace(
    '- name: a\n          image: nginx',
    '- image: nginx\n          name: a',
  );
  assert.ok((await said(imageFirst)).includes('11 no-memory-limit'), 'a container is known by its name');
  const daemon = await said(deployment.replace('Deployment', 'DaemonSet'));
  assert.ok(!daemon.includes('12 host-path'));
});

test('workflows: an approved checkout, or one of the base, is not reported', async () => {
  const workflow = (on: string, job: string, step: string) =>
    `on: ${on}\njobs:\n  a:\n    runs-on: ubuntu-24.04\n${job}    steps:\n${step}`;
  const checkout = (ref: string) =>
    `      - uses: actions/checkout@v5\n        with:\n          ref: ${ref}\n`;
  const head = checkout(`$${'{{ github.head_ref }}'}`);
  const said = (text: string) => saidOf(workflows, '.github/workflows/a.yml', text);
  assert.deepEqual(await said(workflow('[push, pull_request_target]', '', head)), [
    '8 pull-request-target-checkout',
  ]);
  assert.deepEqual(await said(workflow('pull_request_target', '', '      - run: gh pr checkout 1\n')), [
    '6 pull-request-target-checkout',
  ]);
  for (const silent of [
    workflow('pull_request', '', head),
    workflow('pull_request_target', '', checkout('main')),
    workflow(
      'pull_request_target',
      "    if: contains(github.event.pull_request.labels.*.name, 'safe')\n",
      head,
    ),
    workflow('pull_request_target', '    environment: review\n', head),
  ])
    assert.deepEqual(await said(silent), [], silent);
});

test('only findings on added lines are reported, not those that a change merely makes visible', async () => {
  const raised = async (path: string, before: string, after: string) => {
    const { findings, report } = await reviewHere({
      change: changeOf({ [path]: [before, after] }),
      configuration: resolveConfiguration({}),
      sources: [docker, terraform, kubernetes],
      signal: AbortSignal.timeout(300_000),
    });
    return [findings.map(({ startLine }) => startLine), report!.total_preexisting];
  };
  const pod =
    'apiVersion: v1\nkind: Pod\nmetadata:\n  name: NAME\nspec:\n  containers:\n    - image: nginx\n';
  const template = pod.replace('NAME', '{{ .Values.name }}');
  assert.deepEqual(await raised('a.yaml', template, pod), [[], 2]);
  assert.deepEqual(await raised('a.yaml', template, `${pod}    - image: redis\n`), [[8, 8], 2]);
  const group = (port: number) =>
    `resource "aws_security_group" "a" {\n  ingress {\n    from_port = ${port}\n    to_port = ${port}\n    protocol = "tcp"\n    cidr_blocks = ["0.0.0.0/0"]\n  }\n}\n`;
  assert.deepEqual(await raised('a.tf', `${group(22)}<<<<<<< HEAD\n`, group(22)), [[], 1]);
  assert.deepEqual(await raised('a.tf', group(443), group(22)), [[6], 0]);
  const image = 'FROM alpine:3\n# There is no gosu here.\nUSER root\nCMD ["a"]\n';
  assert.deepEqual(await raised('Dockerfile', image, image.replace(/#.*\n/, '')), [[], 1]);
});

test('for any text, sources terminate and do not throw', async () => {
  const deep = 20_000;
  const anchors = Array.from(
    { length: 40 },
    (_, index) => `a${index}: &a${index} [*a${index - 1}, *a${index - 1}]`,
  );
  const hostile = [
    `apiVersion: v1\nkind: Pod\nspec: ${'['.repeat(deep)}${']'.repeat(deep)}\n`,
    `apiVersion: v1\nkind: Pod\na-1: &a-1 x\n${anchors.join('\n')}\nspec: *a39\n`,
    'apiVersion: v1\nkind: Pod\nspec: &a\n  containers: *a\n',
    `resource "a" "b" ${'{ c '.repeat(deep)}`,
    `a = ${'"${'.repeat(deep)}`,
    `a = ${'['.repeat(deep)}`,
    `FROM ${'a'.repeat(100_000)}\nENV ${'A=b '.repeat(20_000)}`,
    `FROM x\n${'RUN a \\\n'.repeat(deep)}`,
    '\0\ud800\r\n\u2028',
    'x'.repeat(5_000_000),
  ];
  const paths = {
    docker: 'Dockerfile',
    terraform: 'a.tf',
    kubernetes: 'a.yaml',
    workflows: '.github/workflows/a.yml',
  };
  for (const [source] of sources)
    for (const text of hostile) await saidOf(source, paths[source.name as keyof typeof paths], text);
  for (const text of hostile) await saidOf(docker, 'compose.yaml', text);
});
