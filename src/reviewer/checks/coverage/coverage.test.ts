import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CoverageFormat } from './coverage-report.ts';
import { joinReports } from './match-paths.ts';
import { formatOf, readCoverage } from './read-coverage.ts';

const lcov = 'TN:\nSF:/home/ci/work/src/a.ts\nFN:1,f\nDA:1,5\nDA:2,0\nDA:3,1,checksum\nend_of_record\n';
const go =
  'mode: atomic\nexample.org/shop/cart/load.go:3.20,5.2 1 4\nexample.org/shop/cart/load.go:7.2,7.30 2 0\n';
const cobertura = `<?xml version="1.0"?>
<!DOCTYPE coverage SYSTEM "http://cobertura.sourceforge.net/xml/coverage-04.dtd">
<coverage><sources><source>/build/shop</source></sources><packages><package><classes>
<class filename="cart/load.py"><methods/><lines><line number="1" hits="1"/><line number="2" hits="0" branch="true"/></lines></class>
</classes></package></packages></coverage>`;
const jacoco = `<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE report PUBLIC "-//JACOCO//DTD Report 1.1//EN" "report.dtd">
<report name="shop"><group name="all"><package name="org/acme"><class name="org/acme/Cart" sourcefilename="Cart.java"/>
<sourcefile name="Cart.java"><line nr="4" mi="0" ci="3" mb="0" cb="0"/><line nr="5" mi="2" ci="0" mb="0" cb="0"/></sourcefile></package></group></report>`;

/** Parses a report and formats it as `path line+ line-`: run, not run. */
function read(text: string, format = formatOf(text)!): string[] {
  return [...readCoverage(text, format).files].map(
    ([path, lines]) =>
      `${path} ${[...lines].map(([line, isRun]) => `${line}${isRun ? '+' : '-'}`).join(' ')}`,
  );
}

describe('a coverage report', () => {
  it('is recognized by its beginning, and parsed', () => {
    assert.deepEqual([lcov, go, cobertura, jacoco].map(formatOf), ['lcov', 'go', 'cobertura', 'jacoco']);
    assert.deepEqual(read(lcov), ['/home/ci/work/src/a.ts 1+ 2- 3+']);
    assert.deepEqual(read(go), ['example.org/shop/cart/load.go 3+ 4+ 7-']);
    assert.deepEqual(read(cobertura), ['/build/shop/cart/load.py 1+ 2-']);
    assert.deepEqual(read(jacoco), ['org/acme/Cart.java 4+ 5-']);
  });

  it('of Cobertura has the lines of its classes; lines of methods count only if there are no others', () => {
    const methods =
      '<methods><method name="f" hits="0"><lines><line number="1" hits="0"/></lines></method></methods>';
    const report = (lines: string) =>
      `<coverage><packages><package><classes><class filename="a.js">${methods}${lines}</class></classes></package></packages></coverage>`;
    assert.deepEqual(read(report('<lines><line number="2" hits="0"/></lines>')), ['a.js 2-']);
    assert.deepEqual(read(report('<lines/>')), ['a.js 1-']);
  });

  it('has the number of its lines that cannot be parsed; they count neither as run nor as not run', () => {
    const lines = (text: string) => [...read(text), readCoverage(text, formatOf(text)!).unread];
    const record =
      'SF:a.ts\nDA:1,abc\nDA:x,1\nDA:2\nDA:3,\nDA:4,1\nDA:0,0\n# why\nBRDA:1,0,0,-\nnonsense\nend_of_record\n';
    assert.deepEqual(lines(record), ['a.ts 4+', 5]);
    assert.deepEqual(lines('TN:\nDA:1,1\nSF:a.ts\nDA:2,0\n'), ['a.ts 2-', 1]);
    assert.deepEqual(lines('mode: set\na.go:1.1,1.9 1 1\na.go:2.1,2.9 1\n\nmode: set\n'), ['a.go 1+', 1]);
    assert.deepEqual(lines(cobertura.replace('number="2" hits="0"', 'number="2" hits="many"')), [
      '/build/shop/cart/load.py 1+',
      1,
    ]);
    assert.deepEqual(lines(jacoco.replace('nr="5"', 'nr="fifth"')), ['org/acme/Cart.java 4+', 1]);
    assert.deepEqual(
      [lcov, go, cobertura, jacoco].map(lines).map((each) => each.at(-1)),
      [0, 0, 0, 0],
    );
  });

  it('is refused with a message if it is invalid', () => {
    assert.equal(formatOf('hello'), undefined);
    assert.equal(formatOf('<html></html>'), undefined);
    const faultOf = (text: string, format: CoverageFormat) => {
      try {
        readCoverage(text, format);
      } catch (error) {
        return (error as Error).message;
      }
    };
    assert.match(faultOf('<coverage><packages>', 'cobertura')!, /^the XML is invalid: /);
    assert.equal(faultOf('SF:a.ts\nend_of_record\n', 'lcov'), 'it contains no line in the format lcov');
    assert.equal(faultOf('<coverage>'.repeat(200), 'cobertura'), 'the XML is nested too deeply');
  });

  it('may not define entities', () => {
    const bomb = `<!DOCTYPE coverage [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><coverage>&b;</coverage>`;
    assert.throws(() => readCoverage(bomb, 'cobertura'), /defines its own entities/);
    assert.throws(
      () => readCoverage('<coverage><source>&b;</source></coverage>', 'cobertura'),
      /the XML is invalid/,
    );
  });
});

describe('the files of reports', () => {
  const joined = (paths: string[], ...texts: string[]) => {
    const { files, unmatched } = joinReports(
      texts.map((text) => readCoverage(text, formatOf(text)!)),
      paths,
    );
    return { files: [...files.keys()], unmatched };
  };

  it('are matched to paths of the repository by their end', () => {
    const paths = [
      'src/a.ts',
      'lib/a.ts',
      'cart/load.go',
      'cart/load.py',
      'app/src/main/java/org/acme/Cart.java',
    ];
    assert.deepEqual(joined(paths, lcov, go, cobertura, jacoco), {
      files: ['src/a.ts', 'cart/load.go', 'cart/load.py', 'app/src/main/java/org/acme/Cart.java'],
      unmatched: [],
    });
  });

  it('are not matched if two paths fit, or only the file name is the same', () => {
    assert.deepEqual(joined(['a/org/acme/Cart.java', 'b/org/acme/Cart.java', 'lib/a.ts'], jacoco, lcov), {
      files: [],
      unmatched: ['org/acme/Cart.java', '/home/ci/work/src/a.ts'],
    });
  });

  it('match a path as a whole rather than the end of a longer one', () => {
    const shop = 'mode: set\ngithub.com/acme/shop/main.go:3.13,5.3 1 1\n';
    assert.deepEqual(joined(['main.go', 'cmd/tool/main.go'], shop).files, ['main.go']);
    const index = 'SF:src/index.ts\nDA:1,1\nend_of_record\n';
    const below = 'packages/a/src/index.ts';
    assert.deepEqual(joined(['src/index.ts', below], index).files, ['src/index.ts']);
    assert.deepEqual(joined(['src/index.ts', below], index.replace('src', '/ci/work/src')).files, [
      'src/index.ts',
    ]);
    assert.deepEqual(joined(['src/index.ts', below], index.replace('src', `/ci/work/packages/a/src`)).files, [
      below,
    ]);
  });

  it('may have `..` and `.` in their paths', () => {
    const odd = (name: string) => `SF:${name}\nDA:1,1\nend_of_record\n`;
    for (const name of ['../../src/a.ts', 'lib/../src/a.ts', '/ci/x/../work/src/./a.ts', '..\\src\\a.ts'])
      assert.deepEqual(joined(['src/a.ts', 'lib/a.ts'], odd(name)).files, ['src/a.ts'], name);
    assert.deepEqual(joined(['src/a.ts'], odd('../../../../etc/passwd')).unmatched, [
      '../../../../etc/passwd',
    ]);
  });

  it('are merged: a line that one test run reached counts as run', () => {
    const other = 'SF:src/a.ts\nDA:2,1\nDA:3,0\nDA:9,0\nend_of_record\n';
    const reports = [lcov, other].map((text) => readCoverage(text, 'lcov'));
    const { files } = joinReports(reports, ['src/a.ts']);
    assert.deepEqual(
      [...files.get('src/a.ts')!],
      [
        [1, true],
        [2, true],
        [3, true],
        [9, false],
      ],
    );
  });
});
