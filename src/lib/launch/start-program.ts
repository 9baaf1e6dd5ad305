import { Launcher } from './launcher.ts';
import { type ProgramCall, type StartedProgram, startHere } from './started-program.ts';

/** Before that, starting the launcher would cost more than it saves. */
const startsBefore = 4;
/** Elsewhere Node copies nothing when it starts a program. */
const isUseful = process.platform === 'linux';

let starts = 0;
let launcher: Launcher | undefined;
let isHopeless = false;

/**
 * Starts a program, through the launcher once that is ready: Node copies its whole process to start one, and stands still
 * meanwhile, 20 ms for each with 500 MB of memory.
 */
export function startProgram(program: string, args: readonly string[], call: ProgramCall): StartedProgram {
  starts += 1;
  if (launcher?.isReady) return launcher.start(program, args, call);
  if (launcher?.isGone) {
    // One that was never ready is not tried again: something here is against it.
    isHopeless ||= !launcher.wasReady;
    launcher = undefined;
  }
  if (isUseful && !isHopeless && starts > startsBefore) launcher ??= new Launcher();
  return startHere(program, args, call);
}
