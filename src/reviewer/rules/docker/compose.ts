import { isMap, type Node } from 'yaml';
import { hasOpenVersion } from '../open-version.ts';
import { readYaml } from '../yaml-nodes.ts';
import type { DockerFault } from './dockerfile.ts';

/** Finds images with an open version, except for those that the file builds. */
export function faultsInCompose(text: string): DockerFault[] {
  return readYaml(text).flatMap((document) => {
    const given = document.field(document.root, 'services');
    if (!isMap(given)) return [];
    const services = given.items.map(({ value }) => value as Node);
    const isBuilt = (service: Node) => document.field(service, 'build') !== undefined;
    // A service can run an image that another one builds.
    const built = new Set(services.filter(isBuilt).map((service) => document.text(service, 'image')));
    return services.flatMap((service): DockerFault[] => {
      const image = document.text(service, 'image');
      if (image === undefined || isBuilt(service) || built.has(image) || !hasOpenVersion(image)) return [];
      const line = document.lineOf(document.field(service, 'image')!);
      return [{ rule: 'latest-tag', line, message: `\`${image}\` can be any version` }];
    });
  });
}
