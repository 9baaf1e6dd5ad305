import type { HclAttribute, HclBlock } from './read-hcl.ts';
import type { TerraformFault } from './terraform-table.ts';

const everybody = new Set(['allUsers', 'allAuthenticatedUsers']);
/** Resources of Google Cloud that grant rights on storage. */
const googleGrants =
  /^google_storage_(?:bucket_iam_(?:member|binding)|bucket_access_control|default_object_access_control|object_access_control)$/;

/** Finds storage that everybody can read. Buckets of websites are left out, since they are meant to be public. */
export function publicBuckets(resource: HclBlock, all: readonly HclBlock[]): TerraformFault[] {
  const { labels, attributes } = resource;
  const kind = labels[0]!;
  const found = (attribute: HclAttribute | undefined, isOpen: (text: string) => boolean, said: string) =>
    attribute !== undefined &&
    [attribute.value].flat().some((value) => typeof value === 'string' && isOpen(value))
      ? [{ rule: 'public-bucket' as const, line: attribute.line, message: said }]
      : [];
  if (kind === 'aws_s3_bucket' || kind === 'aws_s3_bucket_acl') {
    const isWebsite = all.some(
      (other) =>
        other.labels[0] === 'aws_s3_bucket_website_configuration' ||
        other.blocks.some(({ type }) => type === 'website'),
    );
    if (isWebsite) return [];
    return found(
      attributes.get('acl'),
      (acl) => acl === 'public-read' || acl === 'public-read-write',
      'The ACL grants access to everybody',
    );
  }
  if (googleGrants.test(kind))
    return ['member', 'members', 'entity'].flatMap((name) =>
      found(attributes.get(name), (who) => everybody.has(who), 'Access is granted to everybody'),
    );
  if (kind === 'azurerm_storage_container')
    return found(
      attributes.get('container_access_type'),
      (access) => access === 'container' || access === 'blob',
      'The container is public',
    );
  return [];
}

/** The attribute that turns encryption on, by the type of the resource. */
const encryption: Readonly<Record<string, string>> = {
  aws_db_instance: 'storage_encrypted',
  aws_rds_cluster: 'storage_encrypted',
  aws_docdb_cluster: 'storage_encrypted',
  aws_neptune_cluster: 'storage_encrypted',
  aws_efs_file_system: 'encrypted',
  aws_ebs_volume: 'encrypted',
  aws_redshift_cluster: 'encrypted',
  aws_elasticache_replication_group: 'at_rest_encryption_enabled',
};
const disks: ReadonlySet<string> = new Set(['root_block_device', 'ebs_block_device', 'ebs']);

/** Types that are not encrypted by default; for others, the default depends on the account or the engine. */
const plainByDefault: ReadonlySet<string> = new Set(['aws_db_instance', 'aws_efs_file_system']);
/** Attributes of a copy, which is encrypted if its source is. */
const copiedFrom = ['snapshot_identifier', 'replicate_source_db', 'replication_source_identifier'];

export function unencrypted(resource: HclBlock): TerraformFault[] {
  const kind = resource.labels[0]!;
  if (isPlain(resource))
    return [
      {
        rule: 'unencrypted',
        line: resource.line,
        message: 'Encryption is off by default and not turned on here',
      },
    ];
  const own = Object.hasOwn(encryption, kind) ? resource.attributes.get(encryption[kind]!) : undefined;
  const withDisks = /^aws_(?:instance|launch_template|launch_configuration)$/.test(kind)
    ? disksIn(resource)
    : [];
  return [own, ...withDisks.map(({ attributes }) => attributes.get('encrypted'))].flatMap((attribute) =>
    attribute?.value === false ? [{ rule: 'unencrypted', line: attribute.line, message: '' }] : [],
  );
}

function isPlain({ labels, attributes, blocks }: HclBlock): boolean {
  const kind = labels[0]!;
  if (!plainByDefault.has(kind) || attributes.has(encryption[kind]!) || attributes.has('kms_key_id'))
    return false;
  const isCopy = copiedFrom.some((name) => attributes.has(name));
  return !isCopy && !blocks.some(({ type }) => /^(?:restore_to_point_in_time|s3_import|dynamic)$/.test(type));
}

function disksIn({ blocks }: HclBlock): HclBlock[] {
  return blocks.flatMap((block) => [...(disks.has(block.type) ? [block] : []), ...disksIn(block)]);
}
