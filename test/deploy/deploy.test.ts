import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { Ajv } from 'ajv';
import type { Deployment } from 'kubernetes-types/apps/v1.js';
import type { CronJob } from 'kubernetes-types/batch/v1.js';
import type { Container, Service } from 'kubernetes-types/core/v1.js';
import { parse as parseYaml } from 'yaml';
import { settingNames } from '../../src/settings.ts';
import { defaultLimits } from '../../src/work/watchdog/watchdog-data.ts';
import { removeFolder } from '../remove-folder.ts';
import { chartFolder, chartValues, renderChart } from './render-chart.ts';

const root = path.join(import.meta.dirname, '../..');
const read = (name: string) => readFile(path.join(root, name), 'utf8');
const required = { image: { repository: 'registry.acme.test/postil' }, existingSecret: 'postil' };
const everything = {
  ...required,
  image: { repository: 'registry.acme.test/postil', tag: '1.2.3', pullSecrets: [{ name: 'registry' }] },
  settings: { POSTIL_PUBLIC_URL: 'https://postil.acme.test', POSTIL_LOG_LEVEL: 'warn' },
  mirrors: { maxGb: 50, storageClassName: 'fast' },
  ingress: {
    enabled: true,
    className: 'nginx',
    host: 'postil.acme.test',
    tlsSecret: 'tls',
    annotations: { 'nginx.ingress.kubernetes.io/proxy-body-size': '64m' },
  },
  database: { caSecret: 'company-ca', caKey: 'tls.crt' },
  cloudNativePg: {
    enabled: true,
    name: 'postil-db-2',
    storageClassName: 'fast',
    recovery: { source: 'before', database: 'postil', owner: 'postil' },
    spec: { externalClusters: [{ name: 'before' }] },
  },
  networkPolicy: { enabled: true, from: [{ namespaceSelector: { matchLabels: { name: 'ingress' } } }] },
  serviceMonitor: { enabled: true },
  prometheusRule: { enabled: true },
  nodeSelector: { 'kubernetes.io/arch': 'arm64' },
  tolerations: [{ key: 'reviews', operator: 'Exists' }],
};

/** The modules in which Kubernetes declares the objects; objects of other projects are checked below. */
const declared: Readonly<Record<string, string>> = {
  'apps/v1/Deployment': 'kubernetes-types/apps/v1',
  'batch/v1/CronJob': 'kubernetes-types/batch/v1',
  'v1/Service': 'kubernetes-types/core/v1',
  'networking.k8s.io/v1/Ingress': 'kubernetes-types/networking/v1',
  'networking.k8s.io/v1/NetworkPolicy': 'kubernetes-types/networking/v1',
  'policy/v1/PodDisruptionBudget': 'kubernetes-types/policy/v1',
};
const ofOthers = [
  'postgresql.cnpg.io/v1/Cluster',
  'monitoring.coreos.com/v1/PrometheusRule',
  'monitoring.coreos.com/v1/ServiceMonitor',
];

const folder = await mkdtemp(path.join(tmpdir(), 'postil-chart-'));
after(() => removeFolder(folder));
await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));

/** Type-checks objects against their declarations, so that a field that does not exist is an error. */
async function compare(objects: Iterable<unknown>): Promise<string> {
  const lines = [...objects].flatMap((object, index) => {
    const { apiVersion, kind } = object as { apiVersion: string; kind: string };
    const from = declared[`${apiVersion}/${kind}`];
    if (from === undefined) assert.ok(ofOthers.includes(`${apiVersion}/${kind}`), `${apiVersion}/${kind}`);
    return from === undefined
      ? []
      : [
          `import type { ${kind} as Kind${index} } from '${from}';`,
          `export const object${index}: Kind${index} = ${JSON.stringify(object)};`,
        ];
  });
  const file = path.join(folder, 'objects.ts');
  await writeFile(file, lines.join('\n'));
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'preserve', '--types', ''];
  return promisify(execFile)(path.join(root, 'node_modules/.bin/tsc'), [...options, file], {
    cwd: folder,
  }).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  );
}

async function deploymentOf(given: Record<string, unknown>) {
  const objects = await renderChart(await chartValues(given));
  const { spec } = (objects.get('deployment.yaml') as Deployment).spec!.template;
  return { pod: spec!, container: spec!.containers[0]! };
}
const validator = async () =>
  new Ajv({ strict: true }).compile(
    JSON.parse(await readFile(path.join(chartFolder, 'values.schema.json'), 'utf8')),
  );
const variablesOf = ({ env = [] }: Container) => env.map(({ name }) => name);
const settingOf = ({ env = [] }: Container, name: string) => env.find((one) => one.name === name)?.value;

test('the chart makes objects as Kubernetes declares them, with few values and with all of them', async () => {
  const few = await renderChart(await chartValues(required));
  const all = await renderChart(await chartValues(everything));
  assert.deepEqual(
    [...few.keys()],
    ['console.yaml', 'deployment.yaml', 'poddisruptionbudget.yaml', 'service.yaml'],
    'nothing that was not asked for',
  );
  assert.equal(all.size, 9);
  assert.equal(await compare([...few.values(), ...all.values()]), '');
  const wrong = structuredClone(few.get('service.yaml')) as { spec: object };
  Object.assign(wrong.spec, { port: 80 });
  assert.match(await compare([wrong]), /'"port"' does not exist/, 'the comparison sees faults');
  const { spec: alerts } = all.get('prometheusrule.yaml') as { spec: object };
  assert.deepEqual(alerts, parseYaml(await readFile(path.join(chartFolder, 'alerts.yaml'), 'utf8')));
  assert.deepEqual(all.get('servicemonitor.yaml'), {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'ServiceMonitor',
    metadata: (all.get('servicemonitor.yaml') as { metadata: object }).metadata,
    spec: {
      selector: { matchLabels: (few.get('service.yaml') as { spec: { selector: object } }).spec.selector },
      endpoints: [
        {
          port: 'http',
          path: '/metrics',
          interval: '30s',
          authorization: { credentials: { name: 'postil', key: 'POSTIL_OPERATOR_TOKEN' } },
        },
      ],
    },
  });
});

test('values that the chart does not know, and settings that are secrets, are refused', async () => {
  const validate = await validator();
  const isAccepted = async (given: Record<string, unknown>) => validate(await chartValues(given));
  assert.equal(await isAccepted(required), true, JSON.stringify(validate.errors));
  assert.equal(await isAccepted(everything), true, JSON.stringify(validate.errors));
  assert.equal(await isAccepted({}), false, 'image and secret are needed');
  for (const wrong of [
    { replica: 3 },
    { replicas: 0 },
    { stopped: 'yes' },
    { database: { caSecret: 'Not a name' } },
    { cloudNativePg: { spec: { instances: 5 } } },
    { settings: { POSTIL_LOGLEVEL: 'warn' } },
    { settings: { POSTIL_MODEL_API_KEY: 'secret' } },
    { settings: { POSTIL_METRICS_PER_MINUTE: 60 } },
    { ingress: { enabled: 'yes' } },
  ])
    assert.equal(await isAccepted({ ...required, ...wrong }), false, JSON.stringify(wrong));
});

test('deployment files use only settings that exist, and the chart has a value for each setting', async () => {
  const schema = JSON.parse(await readFile(path.join(chartFolder, 'values.schema.json'), 'utf8'));
  const plain: string[] = schema.properties.settings.propertyNames.enum;
  const byReference = variablesOf(
    (await deploymentOf({ ...required, database: { caSecret: 'ca' } })).container,
  );
  const secrets = [
    'DATABASE_REPLICA_URL',
    'POSTIL_EMBEDDINGS_API_KEY',
    'POSTIL_MODEL_API_KEY',
    'POSTIL_OIDC_CLIENT_SECRET',
    'POSTIL_SMTP_URL',
  ];
  const ofTheImage = ['POSTIL_HOST', 'POSTIL_PORT', 'POSTIL_DATA_DIR'];
  const ofNoUse = ['POSTIL_ARCHIVE_DIR', 'POSTIL_ARCHIVE_DAYS', 'POSTIL_SOURCE_KEY', 'POSTIL_URL'];
  assert.deepEqual(
    [...plain, ...byReference, ...secrets, ...ofTheImage, ...ofNoUse].sort(),
    [...settingNames].sort(),
    'a new setting belongs to one of these lists',
  );
  const known = new Set([...settingNames, 'POSTIL_DEMO_DIR']);
  for (const file of [
    'deploy/compose.yaml',
    'deploy/Containerfile',
    'deploy/postil.service',
    'deploy/helm/postil/values.yaml',
  ])
    for (const [name] of (await read(file)).matchAll(/\b(?:POSTIL|DATABASE)_[A-Z_]+/g))
      assert.ok(known.has(name), `${file} names ${name}`);
});

const seconds = (text: string) => Number(/^(\d+)s$/.exec(text)![1]);

test('probes ask endpoints that exist, and a stop gets the time that it may take', async () => {
  const { paths } = JSON.parse(await read('openapi.json'));
  const { pod, container } = await deploymentOf(required);
  const probes = [container.startupProbe, container.livenessProbe, container.readinessProbe];
  const asked = probes.map((probe) => probe!.httpGet!.path!);
  assert.deepEqual(asked, ['/health', '/health', '/ready']);
  for (const one of asked) assert.ok(paths[one]?.get, one);
  assert.equal(container.ports![0]!.containerPort, 8787);

  const stopSeconds = (defaultLimits.stopTicks * defaultLimits.tickMs) / 1000;
  const [command, pause] = container.lifecycle!.preStop!.exec!.command!;
  assert.equal(command, 'sleep');
  assert.ok(pod.terminationGracePeriodSeconds! > stopSeconds + Number(pause));
  const { postil } = parseYaml(await read('deploy/compose.yaml')).services;
  assert.ok(seconds(postil.stop_grace_period) > stopSeconds);
  assert.match(postil.healthcheck.test.join(' '), /127\.0\.0\.1:8787\/ready/);
  const [, unit] = /^TimeoutStopSec=(\d+)$/m.exec(await read('deploy/postil.service'))!;
  assert.ok(Number(unit) > stopSeconds);
});

test('the memory of a node covers its server and all its review processes', async () => {
  const review = { processes: 6, memoryMb: 1024 };
  const { container } = await deploymentOf({ ...required, review });
  assert.equal(settingOf(container, 'POSTIL_REVIEW_PROCESSES'), '6');
  assert.equal(settingOf(container, 'POSTIL_REVIEW_MEMORY_MB'), '1024');
  assert.equal(container.resources!.limits!.memory, `${768 + 7 * 1024}Mi`);
  const { postil } = parseYaml(await read('deploy/compose.yaml')).services;
  const { POSTIL_REVIEW_PROCESSES: count, POSTIL_REVIEW_MEMORY_MB: memory } = postil.environment;
  assert.equal(postil.mem_limit, `${1536 + (Number(count) + 1) * Number(memory)}m`);
});

test('nodes hold no secret in their declaration and can write to their volumes only', async () => {
  const { pod, container } = await deploymentOf(required);
  for (const name of ['POSTIL_OPERATOR_TOKEN', 'POSTIL_SECRET_KEY', 'DATABASE_URL'])
    assert.equal(container.env!.find((one) => one.name === name)!.valueFrom!.secretKeyRef!.key, name);
  assert.equal(pod.securityContext!.runAsNonRoot, true);
  assert.equal(container.securityContext!.readOnlyRootFilesystem, true);
  const managed = await deploymentOf({ ...required, cloudNativePg: { enabled: true } });
  const { valueFrom } = managed.container.env!.find((one) => one.name === 'DATABASE_URL')!;
  assert.deepEqual(valueFrom!.secretKeyRef, { name: 'postil-db-app', key: 'uri' });
  const image = await read('deploy/Containerfile');
  assert.ok(image.includes(`--uid ${pod.securityContext!.runAsUser} `));
  const compose = parseYaml(await read('deploy/compose.yaml'));
  assert.equal(compose.services.postil.read_only, true);
  const mounts = compose.services.postil.volumes.map((text: string) => text.split(':'));
  assert.deepEqual(mounts.map(([name]: string[]) => name).sort(), Object.keys(compose.volumes).sort());
  for (const [, place] of mounts)
    assert.ok(image.includes(place), `${place} belongs to the user of the image`);
});

test('a CA of the database is mounted, and every URL without encryption settings is verified with it', async () => {
  const place = async (given: Record<string, unknown>) => {
    const { pod, container } = await deploymentOf({ ...required, ...given });
    const { secret } = pod.volumes!.find(({ name }) => name === 'database-ca') ?? {};
    const mount = container.volumeMounts!.find(({ name }) => name === 'database-ca');
    const file = settingOf(container, 'PGSSLROOTCERT');
    assert.equal(settingOf(container, 'PGSSLMODE'), file && 'verify-full');
    assert.equal(file, secret && `${mount!.mountPath}/${secret.items![0]!.path}`);
    // Nothing else of the Secret is mounted, since it may contain the private key of the CA.
    return secret && [secret.secretName, ...secret.items!.map(({ key }) => key)];
  };
  assert.equal(await place({}), undefined);
  assert.deepEqual(await place({ database: { caSecret: 'company-ca' } }), ['company-ca', 'ca.crt']);
  assert.deepEqual(await place({ cloudNativePg: { enabled: true } }), ['postil-db-ca', 'ca.crt']);
  assert.deepEqual(await place({ cloudNativePg: { enabled: true, name: 'other' } }), ['other-ca', 'ca.crt']);
  assert.deepEqual(await place({ ...everything }), ['company-ca', 'tls.crt']);
});

test('the console has the environment, the files and the rights of a node, and gets none of its requests', async () => {
  for (const given of [required, everything]) {
    const { pod, container } = await deploymentOf(given);
    const objects = await renderChart(await chartValues(given));
    const { suspend, jobTemplate } = (objects.get('console.yaml') as CronJob).spec!;
    assert.equal(suspend, true);
    const { metadata, spec } = jobTemplate.spec!.template;
    const { image, env, envFrom, volumeMounts, securityContext } = spec!.containers[0]!;
    assert.deepEqual(
      { image, env, envFrom, volumeMounts, securityContext },
      {
        image: container.image,
        env: container.env,
        envFrom: container.envFrom,
        volumeMounts: container.volumeMounts,
        securityContext: container.securityContext,
      },
    );
    assert.deepEqual([spec!.volumes, spec!.securityContext], [pod.volumes, pod.securityContext]);
    const { selector } = (objects.get('service.yaml') as Service).spec!;
    assert.notEqual(metadata!.labels!['app.kubernetes.io/name'], selector!['app.kubernetes.io/name']);
  }
});

test('the values for a restore make a cluster from a backup under another name, which nodes then connect to', async () => {
  const guide = await read('docs/kubernetes.md');
  const values = { ...required, ...parseYaml(/```yaml .*\n(# restore\.yaml[\s\S]*?)```/.exec(guide)![1]!) };
  Object.assign(values.cloudNativePg, { enabled: true });
  assert.equal((await validator())(await chartValues(values)), true);
  const objects = await renderChart(await chartValues(values));
  const cluster = objects.get('database.yaml') as {
    metadata: { name: string };
    spec: { bootstrap: object; externalClusters: { name: string }[] };
  };
  const { name, recovery } = values.cloudNativePg;
  assert.equal(cluster.metadata.name, name);
  assert.deepEqual(cluster.spec.bootstrap, { recovery });
  assert.equal(cluster.spec.externalClusters[0]!.name, recovery.source);
  const { container } = await deploymentOf(values);
  const { valueFrom } = container.env!.find((one) => one.name === 'DATABASE_URL')!;
  assert.deepEqual(valueFrom!.secretKeyRef, { name: `${name}-app`, key: 'uri' });
});

test('a chart that is stopped has no nodes, and everything else stays as it is', async () => {
  const render = async (stopped: boolean) => {
    const objects = await renderChart(await chartValues({ ...everything, stopped }));
    const { replicas, ...spec } = (objects.get('deployment.yaml') as Deployment).spec!;
    return { replicas, rest: { ...Object.fromEntries(objects), 'deployment.yaml': spec } };
  };
  const [running, stopped] = [await render(false), await render(true)];
  assert.deepEqual([running.replicas, stopped.replicas], [2, 0]);
  assert.deepEqual(stopped.rest, running.rest);
});

test('an image is built from exactly one package, which is chosen deterministically', async () => {
  const image = await read('deploy/Containerfile');
  const [, argument] = /^ARG PACKAGE=(\S+)\nCOPY \$\{PACKAGE\} \.\/$/m.exec(image)!;
  const compose = parseYaml(await read('deploy/compose.yaml'));
  assert.equal(compose.services.postil.build.args.PACKAGE, `\${PACKAGE:-${argument}}`);
  const [, check] = /^RUN (set -- .*)$/m.exec(image)!;
  const checkIn = async (names: readonly string[]) => {
    const place = await mkdtemp(path.join(folder, 'image-'));
    for (const name of names) await writeFile(path.join(place, name), '');
    return promisify(execFile)('/bin/sh', ['-c', check!], { cwd: place }).then(
      () => '',
      ({ stderr }: { stderr: string }) => stderr,
    );
  };
  assert.equal(await checkIn(['postil-0.2.0.tgz']), '');
  assert.match(
    await checkIn(['postil-0.1.0.tgz', 'postil-0.2.0.tgz']),
    /several packages: postil-0\.1\.0\.tgz postil-0\.2\.0\.tgz\..*--build-arg PACKAGE=/,
  );
});

test('the chart has the version of the product', async () => {
  const { version } = JSON.parse(await read('package.json'));
  const chart = parseYaml(await readFile(path.join(chartFolder, 'Chart.yaml'), 'utf8'));
  assert.deepEqual([chart.version, chart.appVersion], [version, version]);
});
