/** The maximum number of streams on one node. Further ones are refused, and their pages poll instead. */
const defaultMax = 200;
/** More streams than a person needs. */
const maxPerPerson = 10;

/** Who watches, and in which organization. */
export interface Watcher {
  readonly personId: string;
  readonly organizationId: string;
}

/** A place for one stream. */
export interface Place extends Watcher {
  /** Aborted when the place is needed by a watcher with fewer streams. */
  readonly signal: AbortSignal;
  leave(): void;
}

type TakenPlace = Place & { giveWay(): void };

/** The largest group of places with the same value of `key`; of equally large ones the newest. */
function mostBy(places: readonly TakenPlace[], key: keyof Watcher): TakenPlace[] {
  let most: TakenPlace[] = [];
  for (const group of Map.groupBy(places, (place) => place[key]).values())
    if (group.length >= most.length) most = group;
  return most;
}

/**
 * The places for event streams on one node, shared fairly. A person may take up to a few free ones. When all are taken, the
 * organization with the most places yields one to an organization with fewer; within an organization, the person with the
 * most does.
 */
export class WatchPlaces {
  readonly #max: number;
  readonly #taken = new Set<TakenPlace>();

  constructor(max = defaultMax) {
    this.#max = max;
  }

  hasRoomFor(watcher: Watcher): boolean {
    if (this.#countOf('personId', watcher) >= maxPerPerson) return false;
    return this.#taken.size < this.#max || this.#oneTooMany(watcher) !== undefined;
  }

  /** Takes a place, evicting another stream if necessary; undefined if there is none. */
  take(watcher: Watcher): Place | undefined {
    if (!this.hasRoomFor(watcher)) return undefined;
    if (this.#taken.size >= this.#max) this.#oneTooMany(watcher)?.giveWay();
    const ending = new AbortController();
    const leave = () => void this.#taken.delete(place);
    const giveWay = () => {
      leave();
      ending.abort();
    };
    const place: TakenPlace = { ...watcher, signal: ending.signal, leave, giveWay };
    this.#taken.add(place);
    return place;
  }

  #countOf(key: keyof Watcher, watcher: Watcher): number {
    let count = 0;
    for (const place of this.#taken) if (place[key] === watcher[key]) count += 1;
    return count;
  }

  /**
   * The newest place of the organization or person with the most places, if they have at least as many as the newcomer even
   * after losing it; otherwise the two would evict each other forever.
   */
  #oneTooMany(watcher: Watcher): TakenPlace | undefined {
    const places = [...this.#taken];
    const largest = mostBy(places, 'organizationId');
    if (largest.length > this.#countOf('organizationId', watcher) + 1)
      return mostBy(largest, 'personId').at(-1);
    const own = places.filter(({ organizationId }) => organizationId === watcher.organizationId);
    const greediest = mostBy(own, 'personId');
    const ownCount = own.filter(({ personId }) => personId === watcher.personId).length;
    return greediest.length > ownCount + 1 ? greediest.at(-1) : undefined;
  }
}
