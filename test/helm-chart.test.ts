import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { chart, helm, rendered, type Manifest } from './support/helm.ts';
import { findUnknownFields, validate } from './support/manifest-types.ts';

const allOptions = join(import.meta.dirname, 'support', 'all-options.yaml');
const TIMEOUT = 240_000;

it('has nothing that helm lint finds fault with', { timeout: TIMEOUT }, async () => {
  expect(await helm('lint', '--strict', chart)).toContain('0 chart(s) failed');
  expect(await helm('lint', '--strict', '--values', allOptions, chart)).toContain('0 chart(s) failed');
});

describe.each([
  ['the values as they are', undefined, [], 18],
  ['every option on', allOptions, [], 30],
  [
    'HPA in the place of KEDA, the queue on PostgreSQL',
    allOptions,
    ['worker.keda.enabled=false', 'worker.autoscaling.enabled=true', 'queue=postgres'],
    30,
  ],
])('with %s', { timeout: TIMEOUT }, (name, file, values, count) => {
  let manifests: Manifest[];
  beforeAll(async () => {
    manifests = await rendered(values as string[], file);
  }, TIMEOUT);

  it('makes objects that are right by the schemas of Kubernetes, KEDA and the Prometheus operator', async () => {
    expect(manifests).toHaveLength(count);
    for (const manifest of manifests) await validate(manifest);
    expect(await findUnknownFields(name.replaceAll(/\W+/g, '-'), manifests)).toEqual([]);
  });

  it('gives every object a name of its own, and every pod to the selectors that mean it', () => {
    const names = manifests.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
    expect(new Set(names).size).toBe(names.length);
    for (const { spec } of ofKind(manifests, 'Deployment')) {
      expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels);
    }
    const pods = ofKind(manifests, 'Deployment').map(({ spec }) => spec.template.metadata.labels);
    const selectors = [
      ...ofKind(manifests, 'Service').map(({ spec }) => spec.selector),
      ...ofKind(manifests, 'PodDisruptionBudget').map(({ spec }) => spec.selector.matchLabels),
      ...ofKind(manifests, 'NetworkPolicy').map(({ spec }) => spec.podSelector.matchLabels),
    ];
    for (const selector of selectors) {
      const chosen = pods.filter((labels) =>
        Object.entries(selector).every(([label, value]) => labels[label] === value),
      );
      expect(chosen).toHaveLength(1);
    }
  });

  it('lets no container be root, write to its image, or gain rights', () => {
    const workloads = [...ofKind(manifests, 'Deployment'), ...ofKind(manifests, 'Job')];
    expect(workloads.length).toBeGreaterThan(4);
    for (const { spec } of workloads) {
      const pod = spec.template.spec;
      expect(pod.containers).not.toEqual([]);
      expect(pod.automountServiceAccountToken).toBe(false);
      expect(pod.securityContext).toMatchObject({
        runAsNonRoot: true,
        runAsUser: 1000,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      for (const container of pod.containers) {
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        expect(container.resources).toHaveProperty('requests.cpu');
        expect(container.resources).toHaveProperty('limits.memory');
      }
    }
  });

  it('mounts every volume it names, and finds in it every file that a variable names', () => {
    for (const { spec } of [...ofKind(manifests, 'Deployment'), ...ofKind(manifests, 'Job')]) {
      const { volumes, containers } = spec.template.spec;
      const [container] = containers;
      const named = (list: { name: string }[]) => list.map((one) => one.name).toSorted();
      expect(named(container.volumeMounts)).toEqual(named(volumes));
      const files = volumes[0].secret.items.map(({ path }: { path: string }) => `/run/secrets/dmarc-ledger/${path}`);
      const asked = container.env.filter((one: { name: string }) => one.name.endsWith('_FILE'));
      expect(asked.map(({ value }: { value: string }) => value).toSorted()).toEqual(files.toSorted());
    }
  });
});

it('leaves the number of pods to what scales them', { timeout: TIMEOUT }, async () => {
  const manifests = await rendered([], allOptions);
  const replicas = ofKind(manifests, 'Deployment').map(({ metadata, spec }) => [
    metadata.labels['app.kubernetes.io/component'],
    spec.replicas,
  ]);
  expect(Object.fromEntries(replicas)).toEqual({
    api: undefined,
    web: undefined,
    ingester: undefined,
    worker: undefined,
    scheduler: 2,
  });
  const [{ spec: scaled }] = ofKind(manifests, 'ScaledObject') as [Manifest];
  expect(scaled.scaleTargetRef.name).toBe('ledger-dmarc-ledger-worker');
  expect(scaled.triggers[0].metadata.query).toBe(
    'sum(max by (queue) (queue_jobs{namespace="mail", state="waiting", queue=~"records|rollups"}))',
  );
});

it('migrates the schema before any service of a new version starts', { timeout: TIMEOUT }, async () => {
  const [job] = ofKind(await rendered(), 'Job');
  expect(job!.metadata.annotations).toMatchObject({ 'helm.sh/hook': 'pre-install,pre-upgrade' });
  expect(job!.spec.template.spec.containers[0].args).toEqual(['migrate']);
});

it.each([
  ['a value that it does not know', 'apii.replicas=2', 'apii'],
  ['a secret in the configuration', 'config.SECRET_KEY=abc', 'config'],
  ['a password in the configuration', 'config.SMTP_URL=smtp://a:b@c', 'config'],
  ['a port that its services do not know', 'config.PORT=80', 'config'],
  ['a queue that does not exist', 'worker.queues={mails}', 'worker.queues'],
  [
    'two ways to scale the workers',
    'worker.autoscaling.enabled=true,worker.keda.enabled=true',
    'cannot both be enabled',
  ],
])('refuses %s', { timeout: TIMEOUT }, async (_, values, word) => {
  await expect(rendered([values])).rejects.toThrow(word);
});

it('would find a field that is misspelt', { timeout: TIMEOUT }, async () => {
  const [deployment] = ofKind(await rendered(), 'Deployment');
  deployment!.spec.template.spec.terminationGraceSeconds = 40;
  expect((await findUnknownFields('misspelt', [deployment!])).join()).toContain('terminationGraceSeconds');
  deployment!.spec.replicas = 'two';
  await expect(validate(deployment!)).rejects.toThrow('replicas');
});

function ofKind(manifests: readonly Manifest[], kind: string): Manifest[] {
  return manifests.filter((manifest) => manifest.kind === kind);
}
