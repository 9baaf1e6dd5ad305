import { Launcher } from './launcher.ts';
import { type ProgramCall, type StartedProgram, startHere } from './started-program.ts';

/** For fewer programs, starting the launcher costs more than it saves. */
const startsBefore = 4;
/** On other platforms Node does not copy the process to start a program. */
const isUseful = process.platform === 'linux';

let starts = 0;
let launcher: Launcher | undefined;
let isHopeless = false;

/**
 * Starts a program, through the launcher once that is ready: to start one, Node copies its whole process, which blocks it for
 * 20 ms with 500 MB of memory.
 */
export function startProgram(program: string, args: readonly string[], call: ProgramCall): StartedProgram {
  starts += 1;
  if (launcher?.isReady) return launcher.start(program, args, call);
  if (launcher?.isGone) {
    // A launcher that was never ready is not started again: it cannot work here.
    isHopeless ||= !launcher.wasReady;
    launcher = undefined;
  }
  if (isUseful && !isHopeless && starts > startsBefore) launcher ??= new Launcher();
  return startHere(program, args, call);
}
