import { nameOf } from '../../db/driver/database-url.ts';
import { type HostState, primariesOf } from '../../db/driver/serving-host.ts';
import { isConnectionFailure, isSilence } from '../../db/driver/unavailable.ts';

function describe({ host, answer, error }: HostState): string {
  const name = nameOf(host);
  if (answer?.isStandby) return `${name} is a standby`;
  if (answer !== undefined)
    return `${name} is a primary${answer.timeline > 0 ? ` (timeline ${answer.timeline})` : ''}`;
  if (isSilence(error)) return `${name} does not answer`;
  const { message } = error as Error;
  return isConnectionFailure(error)
    ? `${name} cannot be reached (${message})`
    : `${name} refuses the connection (${message})`;
}

/** Describes which host is the primary; throws unless exactly one server says it is. */
export function describePrimary(states: readonly HostState[]): string {
  const primaries = primariesOf(states);
  if (primaries.length === 1)
    return states
      .filter(({ answer }) => answer?.isStandby === false)
      .map(describe)
      .join(', ');
  const all = states.map(describe).join(', ');
  if (primaries.length === 0) throw new Error(`no host is the primary: ${all}`);
  throw new Error(
    `${primaries.length} servers say that they are the primary, so changes may be lost: ${all}. Stop all but the right one, and make the others its standbys`,
  );
}

/** Describes the lag of the standbys; throws if a host does not answer, since then it could not replace the primary. */
export function describeStandbys(states: readonly HostState[]): string {
  const absent = states.filter(({ answer }) => answer === undefined);
  if (absent.length > 0) throw new Error(absent.map(describe).join(', '));
  const [primary] = primariesOf(states);
  const end = primary?.answer.position;
  const standbys = states.flatMap(({ host, answer }) => (answer?.isStandby ? [{ host, answer }] : []));
  const described = standbys.map(({ host, answer }) => {
    if (end === undefined || answer.position === undefined) return nameOf(host);
    const behind = Math.max(0, Number(end - answer.position)) / 1024 ** 2;
    return `${nameOf(host)} (${behind.toFixed(1)} MiB behind)`;
  });
  return described.join(', ') || 'none';
}
