import type { HclBlock, HclValue } from './read-hcl.ts';
import type { TerraformFault } from './terraform-table.ts';

const world: ReadonlySet<HclValue> = new Set(['0.0.0.0/0', '::/0']);
const anybody: ReadonlySet<HclValue> = new Set([...world, '*', 'Internet', 'Any']);
/** Ports that are meant to be public. */
const webPorts: ReadonlySet<number> = new Set([80, 443]);

/** Finds rules that open other ports than those of the web to the whole internet. */
export function openIngress(resource: HclBlock): TerraformFault[] {
  const [kind] = resource.labels;
  if (kind === 'aws_security_group' || kind === 'aws_default_security_group')
    return resource.blocks.filter(({ type }) => type === 'ingress').flatMap(awsRule);
  if (kind === 'aws_security_group_rule')
    return written(resource, 'type') === 'ingress' ? awsRule(resource) : [];
  if (kind === 'aws_vpc_security_group_ingress_rule') return awsRule(resource);
  if (kind === 'google_compute_firewall') return googleRule(resource);
  if (kind === 'azurerm_network_security_rule') return azureRule(resource);
  return kind === 'azurerm_network_security_group'
    ? resource.blocks.filter(({ type }) => type === 'security_rule').flatMap(azureRule)
    : [];
}

const written = ({ attributes }: HclBlock, name: string): HclValue | undefined => attributes.get(name)?.value;
const listOf = (value: HclValue | undefined): readonly HclValue[] =>
  Array.isArray(value) ? value : value === undefined ? [] : [value as HclValue];

/** The line of the attribute that lets in everybody; undefined if none does. */
function openLine(block: HclBlock, names: readonly string[], open = world): number | undefined {
  const named = names.map((name) => block.attributes.get(name));
  return named.find((attribute) => listOf(attribute?.value).some((value) => open.has(value)))?.line;
}

const fault = (line: number, ports: string): TerraformFault => ({
  rule: 'open-ingress',
  line,
  message: `The rule opens ${ports}`,
});

function awsRule(rule: HclBlock): TerraformFault[] {
  const line = openLine(rule, ['cidr_blocks', 'ipv6_cidr_blocks', 'cidr_ipv4', 'cidr_ipv6']);
  const protocol = String(written(rule, 'protocol') ?? written(rule, 'ip_protocol') ?? '');
  if (line === undefined || /^icmp/i.test(protocol)) return [];
  if (protocol === '-1' || protocol === 'all') return [fault(line, 'every port')];
  const [from, to] = [Number(written(rule, 'from_port')), Number(written(rule, 'to_port'))];
  if (!Number.isInteger(from) || !Number.isInteger(to) || !/^(?:tcp|udp|6|17)$/i.test(protocol)) return [];
  if (from === to) return webPorts.has(from) ? [] : [fault(line, `port ${from}`)];
  return [fault(line, `ports ${from} to ${to}`)];
}

function googleRule(rule: HclBlock): TerraformFault[] {
  const line = openLine(rule, ['source_ranges']);
  const direction = written(rule, 'direction') ?? 'INGRESS';
  // Tags or service accounts can restrict the sources.
  if (line === undefined || direction !== 'INGRESS') return [];
  if (rule.attributes.has('source_tags') || rule.attributes.has('source_service_accounts')) return [];
  const ports = rule.blocks
    .filter(({ type }) => type === 'allow')
    .flatMap((allow) => {
      const protocol = String(written(allow, 'protocol') ?? '');
      if (protocol === 'all') return ['every port'];
      if (!/^(?:tcp|udp)$/i.test(protocol)) return [];
      const named = written(allow, 'ports');
      if (named === undefined) return ['every port'];
      return listOf(named).flatMap((port) => closedPort(port) ?? []);
    });
  return ports.length === 0 ? [] : [fault(line, ports.slice(0, 5).join(', '))];
}

function azureRule(rule: HclBlock): TerraformFault[] {
  const line = openLine(rule, ['source_address_prefix', 'source_address_prefixes'], anybody);
  if (line === undefined || written(rule, 'access') !== 'Allow' || written(rule, 'direction') !== 'Inbound')
    return [];
  if (/^icmp$/i.test(String(written(rule, 'protocol')))) return [];
  const named = listOf(written(rule, 'destination_port_range') ?? written(rule, 'destination_port_ranges'));
  const ports = named.flatMap((port) => (port === '*' ? 'every port' : (closedPort(port) ?? [])));
  return ports.length === 0 ? [] : [fault(line, ports.slice(0, 5).join(', '))];
}

/** Names a port, or a range of ports, that is not meant to be public; undefined if it is, or is not known. */
function closedPort(port: HclValue): string | undefined {
  const text = typeof port === 'string' || typeof port === 'number' ? String(port) : '';
  if (!/^\d+(?:-\d+)?$/.test(text) || webPorts.has(Number(text))) return undefined;
  return text.includes('-') ? `ports ${text.replace('-', ' to ')}` : `port ${text}`;
}
