import { correctness, type RuleTable, security } from '../rule-facts.ts';
import { harm } from '../severity-table.ts';

const alwaysTrue = 'The shell reads it as a single non-empty word, which is always true.';

/** The rules of ShellCheck that become findings. Our own checks use the same codes for the same faults. */
// biome-ignore format: one row per rule
export const shellTable: RuleTable = {
  SC1009: [harm.unreadable, correctness, 'Shell syntax error', 'The shell stops here when it reads the script.'],
  SC1072: [harm.unreadable, correctness, 'Shell syntax error', 'The shell stops here when it reads the script.'],
  SC1068: [harm.broken, correctness, 'Spaces around `=` in an assignment', 'The shell runs a command with the name of the variable instead of assigning a value.'],
  SC1073: [harm.unreadable, correctness, 'Shell syntax error', 'The shell stops here when it reads the script.'],
  SC1037: [harm.sometimes, correctness, 'Missing braces around a positional parameter', '`$10` is `$1` followed by 0.'],
  SC2050: [harm.doubtful, correctness, 'The comparison always has the same result', 'Both sides are constants; a `$` is probably missing.'],
  SC2070: [harm.broken, correctness, '`-n` needs quotes', 'Without them the test is true for an empty value.'],
  SC2077: [harm.broken, correctness, 'Spaces are missing around the operator', alwaysTrue],
  SC2078: [harm.broken, correctness, 'The test is always true', alwaysTrue],
  SC2094: [harm.lost, correctness, 'A file is read and written by the same command', 'It is emptied before it is read.'],
  SC2114: [harm.destruction, correctness, 'A system directory is deleted', 'Check the path.'],
  SC2115: [harm.lost, correctness, '`rm` deletes everything if the variable is empty', 'Put the name in braces, with `:?` after it: then the shell stops instead.'],
  SC2157: [harm.broken, correctness, 'The test always has the same result', 'It tests a constant string.'],
  SC2168: [harm.broken, correctness, '`local` outside of a function', 'The shell reports an error.'],
  SC2171: [harm.broken, correctness, 'Misplaced bracket', 'A space or the opening bracket is missing.'],
  SC2193: [harm.broken, correctness, 'The two sides can never be equal', 'A space or a `$` is misplaced.'],
  SC2242: [harm.broken, correctness, 'Invalid exit status', 'Only numbers from 0 to 255 can be returned.'],
  SC2259: [harm.lost, correctness, 'The redirection replaces the piped input', 'What comes through the pipe is lost.'],
  SC2283: [harm.broken, correctness, 'Spaces around `=` in an assignment', 'The shell runs a command with the name of the variable instead of assigning a value.'],
  SC2288: [harm.broken, correctness, 'Text is interpreted as a command', 'A quote or a line break is misplaced.'],
  'pipe-to-shell': [harm.unprotected, security, 'A script is downloaded without encryption and executed', 'Anybody on the network path can replace the script and run commands here. Use https.', 'CWE-494'],
  'world-writable': [harm.exposed, security, 'World-writable permissions', 'Every user of the machine can change the file. Grant only the permissions that are needed.', 'CWE-732'],
};
