/**
 * The processor time that the calling thread has used, in milliseconds. Unlike a clock it does not advance while other threads
 * have the processor, so that a limit means the same amount of work on a busy machine as on an idle one.
 */
export function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
