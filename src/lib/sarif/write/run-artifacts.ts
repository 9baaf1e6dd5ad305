import type { KeptArtifactLocation } from '../kept-parts.ts';

const MAX_ARTIFACTS = 20_000;

/** The artifacts that kept parts of one run refer to by index. */
export class RunArtifacts {
  readonly #locations = new Map<number, Pick<KeptArtifactLocation, 'uri' | 'uriBaseId'>>();

  /**
   * Registers the artifacts of the parts, and returns the parts unchanged, except that an index which refers to another
   * artifact in this run is removed.
   */
  admit<Part>(part: Part): Part {
    if (Array.isArray(part)) return part.map((entry) => this.admit(entry)) as Part;
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(
      Object.entries(part).map(([key, inner]) => [
        key,
        key === 'artifactLocation' ? this.#place(inner as KeptArtifactLocation) : this.admit(inner),
      ]),
    ) as Part;
  }

  #place(location: KeptArtifactLocation): KeptArtifactLocation {
    const { index, uri, uriBaseId } = location;
    if (index === undefined || index < 0) return location;
    const known = this.#locations.get(index) ?? { uri, ...(uriBaseId !== undefined && { uriBaseId }) };
    if (index >= MAX_ARTIFACTS || uri === undefined || known.uri !== uri || known.uriBaseId !== uriBaseId) {
      const { index: _index, ...rest } = location;
      return rest;
    }
    this.#locations.set(index, known);
    return location;
  }

  /** The run's table of artifacts; entries that no index refers to contain only their index. */
  table() {
    const length = Math.max(-1, ...this.#locations.keys()) + 1;
    return Array.from({ length }, (_, index) => {
      const location = this.#locations.get(index);
      return { location: { ...location, index } };
    });
  }
}
