import { correctness, type RuleTable, security } from '../rule-facts.ts';
import { harm } from '../severity-table.ts';

const alwaysTrue = 'It is read as one non-empty word, which is always true.';

/** The rules of ShellCheck that become findings. Our own checks use the same codes for the same faults. */
// biome-ignore format: one row per rule
export const shellTable: RuleTable = {
  SC1009: [harm.unreadable, correctness, 'The script cannot be read', 'The shell stops here.'],
  SC1072: [harm.unreadable, correctness, 'The script cannot be read', 'The shell stops here.'],
  SC1068: [harm.broken, correctness, 'Spaces around `=`', 'The shell runs a command of that name instead of assigning.'],
  SC1073: [harm.unreadable, correctness, 'The script cannot be read', 'The shell stops here.'],
  SC1037: [harm.sometimes, correctness, 'Braces are missing around a parameter', '`$10` is `$1` followed by 0.'],
  SC2050: [harm.doubtful, correctness, 'The comparison is always the same', 'Both sides are constants; a `$` is probably missing.'],
  SC2070: [harm.broken, correctness, '`-n` needs quotes', 'Without them the test is true for an empty value.'],
  SC2077: [harm.broken, correctness, 'Spaces are missing around the operator', alwaysTrue],
  SC2078: [harm.broken, correctness, 'The test is always true', alwaysTrue],
  SC2094: [harm.lost, correctness, 'The file is read and written at once', 'It is emptied before it is read.'],
  SC2114: [harm.destruction, correctness, 'A system folder is removed', 'Check the path.'],
  SC2115: [harm.lost, correctness, 'Removes everything when the variable is empty', 'With `:?` after the name, in braces, the shell stops instead.'],
  SC2157: [harm.broken, correctness, 'The test is always the same', 'It looks at a constant text.'],
  SC2168: [harm.broken, correctness, '`local` outside of a function', 'The shell reports an error.'],
  SC2171: [harm.broken, correctness, 'A bracket is out of place', 'A space or the opening bracket is missing.'],
  SC2193: [harm.broken, correctness, 'The two sides can never be equal', 'A space or a `$` is misplaced.'],
  SC2242: [harm.broken, correctness, 'The exit status is no number', 'Only 0 to 255 can be returned.'],
  SC2259: [harm.lost, correctness, 'The redirection replaces the piped input', 'What comes through the pipe is lost.'],
  SC2283: [harm.broken, correctness, 'Spaces around `=`', 'The shell runs a command of that name instead of assigning.'],
  SC2288: [harm.broken, correctness, 'This is run as a command', 'A quote or a line is broken.'],
  'pipe-to-shell': [harm.unprotected, security, 'A script is downloaded without encryption and executed', 'Anybody on the way can run commands here.', 'CWE-494'],
  'world-writable': [harm.exposed, security, 'Everybody may write here', 'Give only the rights that are needed.', 'CWE-732'],
};
