/** The default memory limit of a review process, in MiB. */
export const defaultMemoryMb = 512;
