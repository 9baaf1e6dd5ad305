import { isMap, type Node } from 'yaml';
import { hasOpenVersion } from '../open-version.ts';
import { readYaml } from '../yaml-nodes.ts';
import type { DockerFault } from './dockerfile.ts';

/** Images of services that nobody builds here, and whose version is left open. */
export function faultsInCompose(text: string): DockerFault[] {
  return readYaml(text).flatMap((document) => {
    const services = document.field(document.root, 'services');
    if (!isMap(services)) return [];
    return services.items.flatMap(({ value }): DockerFault[] => {
      const service = value as Node;
      const image = document.text(service, 'image');
      if (image === undefined || document.field(service, 'build') !== undefined || !hasOpenVersion(image))
        return [];
      const line = document.lineOf(document.field(service, 'image')!);
      return [{ rule: 'latest-tag', line, message: `\`${image}\` can be any version` }];
    });
  });
}
