/** Well-known official images. Any other name without a slash may be an image that is built locally. */
const official: ReadonlySet<string> = new Set(
  'alpine amazonlinux bash buildpack-deps busybox caddy cassandra centos consul couchdb debian docker eclipse-temurin elasticsearch elixir erlang fedora gcc ghost golang gradle haproxy httpd influxdb java jenkins kibana kong logstash mariadb maven memcached mongo mysql nats neo4j nextcloud nginx node openjdk perl php postgres python rabbitmq redis registry ruby rust solr sonarqube telegraf tomcat traefik ubuntu vault wordpress zookeeper'.split(
    ' ',
  ),
);

/** Whether an image has no version, or `latest`. False for names with variables, whose values are not known. */
export function hasOpenVersion(image: string): boolean {
  if (!/^[\w.:/-]+$/.test(image)) return false;
  const name = image.slice(image.lastIndexOf('/') + 1);
  const [repository = '', tag] = name.split(':');
  if (tag !== undefined) return tag === 'latest';
  return image.includes('/') ? !/^[\d.]+$/.test(repository) : official.has(repository);
}
