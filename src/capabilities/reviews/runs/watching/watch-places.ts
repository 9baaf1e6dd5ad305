/** More streams than that on one node are refused; their pages ask again and again instead. */
const defaultMax = 200;
/** More than a person looks at. */
const maxPerPerson = 10;

/** Who watches, and for which organization. */
export interface Watcher {
  readonly personId: string;
  readonly organizationId: string;
}

/** A place that one stream has. */
export interface Place extends Watcher {
  /** Aborted when somebody who has less needs it. */
  readonly signal: AbortSignal;
  leave(): void;
}

type TakenPlace = Place & { giveWay(): void };

/** The largest group of places that have this in common; of equal ones the newest. */
function mostBy(places: readonly TakenPlace[], key: keyof Watcher): TakenPlace[] {
  let most: TakenPlace[] = [];
  for (const group of Map.groupBy(places, (place) => place[key]).values())
    if (group.length >= most.length) most = group;
  return most;
}

/**
 * The places for streams of events on one node. Anybody may take what is free, up to a few for each person. Once all are taken,
 * the organization with most gives way to one with less, and in an organization the person with most.
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

  /** Takes a place, if need be that of one who has more; undefined if there is none. */
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

  /** The newest place of whoever has most, if they still had no less than the newcomer; otherwise both would take turns for ever. */
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
