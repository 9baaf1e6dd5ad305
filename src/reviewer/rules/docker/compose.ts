import { isMap, type Node } from 'yaml';
import { hasOpenVersion } from '../open-version.ts';
import { readYaml } from '../yaml-nodes.ts';
import type { DockerFault } from './dockerfile.ts';

/** Images of services that nobody builds here, and whose version is left open. */
export function faultsInCompose(text: string): DockerFault[] {
  return readYaml(text).flatMap((document) => {
    const given = document.field(document.root, 'services');
    if (!isMap(given)) return [];
    const services = given.items.map(({ value }) => value as Node);
    const isBuilt = (service: Node) => document.field(service, 'build') !== undefined;
    // What one service builds, others run.
    const built = new Set(services.filter(isBuilt).map((service) => document.text(service, 'image')));
    return services.flatMap((service): DockerFault[] => {
      const image = document.text(service, 'image');
      if (image === undefined || isBuilt(service) || built.has(image) || !hasOpenVersion(image)) return [];
      const line = document.lineOf(document.field(service, 'image')!);
      return [{ rule: 'latest-tag', line, message: `\`${image}\` can be any version` }];
    });
  });
}
