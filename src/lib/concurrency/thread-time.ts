/**
 * How many milliseconds of a processor the thread that asks has used: unlike the clock, this stands still while others have
 * the processor, so that a limit is as much work on a busy machine as on an idle one.
 */
export function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
